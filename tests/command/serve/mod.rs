//! The server: every question against its description and the command, requests that are not for it, greedy, slow and
//! silent clients, child processes, and its end.

mod answers;
mod children;
mod clients;
mod compressed;
mod lanes;
mod refusals;
mod server;

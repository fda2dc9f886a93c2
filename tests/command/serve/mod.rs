//! Tests of the server: every question against its description and the command, refused requests, clients that ask
//! much, are slow or do not read, child processes, and the end of the server.

mod answers;
mod children;
mod clients;
mod compressed;
mod lanes;
mod lists;
mod origins;
mod prove;
mod refusals;

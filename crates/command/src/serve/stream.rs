//! Connections that time out if their client does not read.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// The size of the system's send buffer for a connection, in bytes. A small buffer has two advantages: slow clients
/// take little memory, and a client that reads a few kilobytes a second makes room for a write within [`STALLED`].
pub const SEND_BUFFER: u32 = 128 << 10;

/// The longest time that a write may wait for a client that does not read.
const STALLED: Duration = Duration::from_secs(20);

/// A connection on which writes time out.
pub struct Stream {
    tcp: TcpStream,
    /// The timer of the write that is waiting, or `None` if no write waits.
    limit: Option<Pin<Box<Sleep>>>,
}

impl Stream {
    pub fn new(tcp: TcpStream) -> Stream {
        Stream { tcp, limit: None }
    }

    /// Returns `written`, or an error if the write has been waiting for longer than [`STALLED`].
    fn time_out<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.limit = None;
            return written;
        }
        let limit = self.limit.get_or_insert_with(|| Box::pin(sleep(STALLED)));
        ready!(limit.as_mut().poll(context));
        // Makes the system discard what the client has not read.
        let _ = self.tcp.set_zero_linger();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, room: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(context, room)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.tcp).poll_write(context, bytes);
        self.time_out(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.tcp).poll_write_vectored(context, parts);
        self.time_out(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}

//! Accepts connections, with limits on their number and their time, and closes slow connections.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::OwnedSemaphorePermit;

use super::client::Client;
use super::connections::{Connections, CountedConnection};
use super::stop::ShutdownSignals;
use super::stream::{SEND_BUFFER, Stream};

/// The time limit for the head of a request, and for the pause between two requests.
const HEAD: Duration = Duration::from_secs(10);

/// The maximum size of a request's head, in bytes.
const HEAD_BYTES: usize = 64 << 10;

/// The longest life of a connection.
const LONGEST: Duration = Duration::from_secs(2 * 3600);

/// The number of connections that may wait in the system's queue until the server accepts them.
const BACKLOG: u32 = 1024;

/// The answer to a client that has too many connections.
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 5\r\n\
    Connection: close\r\nContent-Length: 54\r\n\r\n{\"error\":\"too many connections from the same address\"}";

/// Listens at an address.
pub fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Lets the server take over a port that an earlier server has just left. On systems other than Unix the same option
    // would let two servers share a port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    // Accepted connections inherit this buffer size.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Answers requests until the process is asked to end.
pub async fn serve(listener: TcpListener, router: Router, mut stop: ShutdownSignals) {
    let connections = Connections::new();
    let service = TowerToHyperService::new(router);
    loop {
        let (room, stream, client) = tokio::select! {
            biased;
            () = stop.asked() => return,
            next = next(&listener, &connections) => next,
        };
        let Some(held) = connections.hold(room, client) else {
            // One attempt is enough: a client that is not ready gets no answer.
            let _ = stream.try_write(TOO_MANY);
            continue;
        };
        tokio::spawn(answer(stream, client, service.clone(), held));
    }
}

/// Waits until another connection is allowed, then until a client connects.
async fn next(listener: &TcpListener, connections: &Connections) -> (OwnedSemaphorePermit, TcpStream, Client) {
    let room = connections.room().await;
    loop {
        match listener.accept().await {
            Ok((stream, address)) => return (room, stream, Client::at(address.ip())),
            // A failed connection, or a temporary lack of file descriptors, does not end the server.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Answers the requests of a connection. Each request carries its client as an extension.
async fn answer(stream: TcpStream, client: Client, service: TowerToHyperService<Router>, held: CountedConnection) {
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let mut request: Request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(client);
        service.call(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES).keep_alive(true);
    let connection = builder.serve_connection(TokioIo::new(Stream::new(stream)), service);
    let _ = tokio::time::timeout(LONGEST, connection).await;
    drop(held);
}

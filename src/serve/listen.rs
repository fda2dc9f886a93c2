//! Connections, each with its limits: slow ones are cut, and there are never more than a bounded number.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::Done;

/// Connections at once; others wait for one to end.
const CONNECTIONS: usize = 1024;

/// Time for the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// Bytes of a head, at most.
const HEAD_BYTES: usize = 64 << 10;

/// The longest life of a connection, which ends those that do not take what they asked for.
const LONGEST: Duration = Duration::from_secs(2 * 3600);

/// Answers until the process is told to end.
pub async fn serve(listener: TcpListener, service: Router) -> Done {
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let end = tokio::signal::ctrl_c();
    tokio::pin!(end);
    loop {
        let place = connections.clone().acquire_owned().await.expect("nobody closes it");
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut end => return Ok(()),
        };
        // That one connection failed, or that there are too many files for a moment, is no reason to end.
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES).keep_alive(true);
            let connection = builder.serve_connection(TokioIo::new(stream), service);
            let _ = tokio::time::timeout(LONGEST, connection).await;
            drop(place);
        });
    }
}

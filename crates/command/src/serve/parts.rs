//! Response bodies that are sent while they are computed.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Bytes;
use hyper::body::Frame;
use tokio::sync::mpsc::Receiver;

/// A response body that arrives in parts through a channel.
pub struct Parts(pub Receiver<Bytes>);

impl hyper::body::Body for Parts {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|part| part.map(|bytes| Ok(Frame::data(bytes))))
    }
}

//! The signals that end the server.

use tokio::signal;

use super::super::error::Failure;

/// Requests to end: Ctrl-C, and SIGTERM where there is one. From the moment this exists they no longer end the process
/// by themselves.
pub struct Stop {
    #[cfg(unix)]
    interrupt: signal::unix::Signal,
    #[cfg(unix)]
    terminate: signal::unix::Signal,
}

impl Stop {
    /// Watches for them.
    #[cfg(unix)]
    pub fn watch() -> Result<Stop, Failure> {
        use signal::unix::SignalKind;

        let watch = |kind| signal::unix::signal(kind).map_err(|error| Failure::Work(format!("signals: {error}")));
        Ok(Stop { interrupt: watch(SignalKind::interrupt())?, terminate: watch(SignalKind::terminate())? })
    }

    #[cfg(not(unix))]
    pub fn watch() -> Result<Stop, Failure> {
        Ok(Stop {})
    }

    /// Waits for one.
    #[cfg(unix)]
    pub async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    pub async fn asked(&mut self) {
        let _ = signal::ctrl_c().await;
    }
}

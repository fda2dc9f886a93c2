//! The signals that end the server.

use tokio::signal;

use super::super::error::Failure;

/// A watch for Ctrl-C and, on Unix, SIGTERM. On Unix, these signals no longer end the process by themselves once a
/// watch has been created. On other systems, Ctrl-C ends the process by itself until the first wait for a signal.
pub struct ShutdownSignals {
    #[cfg(unix)]
    interrupt: signal::unix::Signal,
    #[cfg(unix)]
    terminate: signal::unix::Signal,
}

impl ShutdownSignals {
    /// Starts to watch for the signals.
    #[cfg(unix)]
    pub fn watch() -> Result<ShutdownSignals, Failure> {
        use signal::unix::SignalKind;

        let watch = |kind| signal::unix::signal(kind).map_err(|error| Failure::work(error).named("signals"));
        Ok(ShutdownSignals { interrupt: watch(SignalKind::interrupt())?, terminate: watch(SignalKind::terminate())? })
    }

    #[cfg(not(unix))]
    pub fn watch() -> Result<ShutdownSignals, Failure> {
        Ok(ShutdownSignals {})
    }

    /// Waits for a signal.
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

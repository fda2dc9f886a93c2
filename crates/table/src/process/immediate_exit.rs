//! Ends the process without running anything else.

/// Ends the process at once. Runs no destructor and takes no lock.
#[cfg(unix)]
pub fn exit(status: i32) -> ! {
    signal_hook::low_level::exit(status)
}

/// Ends the process at once. Runs no destructor and takes no lock.
#[cfg(windows)]
#[allow(unsafe_code)]
pub fn exit(status: i32) -> ! {
    use windows_sys::Win32::System::Threading::{GetCurrentProcess, TerminateProcess};

    // SAFETY: the handle stands for this process and needs no closing.
    unsafe { TerminateProcess(GetCurrentProcess(), status as u32) };
    unreachable!("the process has ended")
}

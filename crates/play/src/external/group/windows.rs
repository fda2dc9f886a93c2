//! Job objects of Windows.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};

use win32job::{ExtendedLimitInfo, Job, JobError};
use windows_sys::Win32::System::Threading::CREATE_NO_WINDOW;

/// A program in its own job. The program has no console, so no window opens and Ctrl-C does not reach it. When the
/// `Group` is dropped, or when this process ends in any way, the system ends all processes of the job.
pub struct Group {
    pub program: Child,
    /// The job. Closing it ends its processes.
    _job: Job,
}

impl Group {
    /// Starts a program.
    pub fn start(command: &mut Command) -> io::Result<Group> {
        let job = Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close()).map_err(refused)?;
        let mut program = command.creation_flags(CREATE_NO_WINDOW).spawn()?;
        if let Err(error) = job.assign_process(program.as_raw_handle() as isize) {
            program.kill()?;
            return Err(refused(error));
        }
        Ok(Group { program, _job: job })
    }
}

fn refused(error: JobError) -> io::Error {
    io::Error::other(error)
}

impl Drop for Group {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

//! Code that is compiled a second time for wide registers.
//!
//! A function that is inlined (`#[inline(always)]`) into a block of [`wide!`] is compiled for AVX2 and BMI in that
//! block. Everywhere else, the same function is compiled for any x86-64 machine. The only way to get a [`Wide`] is
//! [`Wide::detected`], which queries the machine.

/// A token that proves that the machine has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy)]
pub struct Wide(());

impl Wide {
    /// Returns the token if this machine has AVX2, BMI1, BMI2, LZCNT and POPCNT, otherwise `None`.
    #[cfg(target_arch = "x86_64")]
    pub fn detected() -> Option<Wide> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Wide(()))
    }

    /// Returns `None`, because only x86-64 machines have AVX2 and BMI.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn detected() -> Option<Wide> {
        None
    }
}

/// Compiles a block for wide registers and runs it: `wide!(token, |arguments| -> Result { block })`. The token, a
/// [`Wide`], proves that the machine has the instructions that the block may use.
#[macro_export]
macro_rules! wide {
    ($token:expr, |$($name:ident: $kind:ty),*| -> $result:ty $body:block) => {{
        #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt"))]
        fn entrance($($name: $kind),*) -> $result $body

        let _: $crate::wide::Wide = $token;
        // SAFETY: a `Wide` exists only on machines with these instructions.
        #[allow(unsafe_code, unused_unsafe)]
        unsafe {
            entrance($($name),*)
        }
    }};
}
pub use wide;

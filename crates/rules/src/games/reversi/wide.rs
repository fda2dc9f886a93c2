//! The choice between machines: code that is compiled a second time for wide registers.
//!
//! Functions that are written once and inlined (`#[inline(always)]`) into an entrance made by [`wide!`] are compiled
//! for AVX2 and BMI there, and for any x86-64 elsewhere. [`Wide`] can only be had from [`Wide::detected`], which asks
//! the machine.

/// The machine has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy)]
pub struct Wide(());

impl Wide {
    /// Whether this machine has all of these.
    #[cfg(target_arch = "x86_64")]
    pub fn detected() -> Option<Wide> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Wide(()))
    }

    /// No other machine has.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn detected() -> Option<Wide> {
        None
    }
}

/// Compiles a block for wide registers and runs it: `wide!(token, |arguments| -> Result { block })`. The token, of type
/// [`Wide`], is the proof that the machine has them.
#[macro_export]
macro_rules! wide {
    ($token:expr, |$($name:ident: $kind:ty),*| -> $result:ty $body:block) => {{
        #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt"))]
        fn entrance($($name: $kind),*) -> $result $body

        let _: $crate::games::reversi::wide::Wide = $token;
        // SAFETY: there is a `Wide`, so the machine has these instructions.
        #[allow(unsafe_code, unused_unsafe)]
        unsafe {
            entrance($($name),*)
        }
    }};
}
pub use wide;

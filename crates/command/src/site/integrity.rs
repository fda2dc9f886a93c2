//! Hashes of files in the form of HTML's attribute `integrity`, for browsers.

use sha2::{Digest, Sha256};

/// The digits of Base64.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The hash of a file that is read in pieces.
#[derive(Default)]
pub struct Integrity(Sha256);

impl Integrity {
    /// Returns the hash of `bytes`: `sha256-` and 44 characters of Base64.
    pub fn of(bytes: &[u8]) -> String {
        let mut hash = Integrity::default();
        hash.take(bytes);
        hash.end()
    }

    pub fn take(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub fn end(self) -> String {
        format!("sha256-{}", base64(&self.0.finalize()))
    }
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let number = (0..3).fold(0, |number, at| number << 8 | usize::from(chunk.get(at).copied().unwrap_or(0)));
        for digit in 0..4 {
            let is_there = digit <= chunk.len();
            text.push(if is_there { char::from(DIGITS[number >> (18 - 6 * digit) & 63]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Integrity, base64};

    #[test]
    fn base64_is_that_of_rfc_4648() {
        let told = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(told, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }

    /// The expected hash is the output of `printf '' | openssl dgst -sha256 -binary | base64`.
    #[test]
    fn hashes_are_those_of_openssl() {
        assert_eq!(Integrity::of(b""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}

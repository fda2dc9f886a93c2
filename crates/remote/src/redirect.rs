//! The policy on redirects. By default they must stay within the origin (scheme, host and port) of the address.

use std::path::Path;

use url::Url;
use yomikiri_table::address;

use super::fault::{ResponseFault, quoted};

/// The environment variable that selects the policy.
const VARIABLE: &str = "YOMIKIRI_REDIRECTS";

/// The value of the variable that allows redirects to all hosts.
const ALL: &str = "all";

/// The value of the variable that selects the default policy.
const SAME: &str = "same";

/// Maximum number of redirects of one request.
pub const MAX_REDIRECTS: usize = 10;

/// The policy that decides which redirects are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redirects {
    SameOrigin,
    All,
}

impl Redirects {
    /// Returns the policy that the environment variable selects. The error says what is wrong with the variable's
    /// value.
    pub fn from_environment() -> Result<Redirects, String> {
        match std::env::var(VARIABLE).as_deref() {
            Err(std::env::VarError::NotPresent) | Ok("" | SAME) => Ok(Redirects::SameOrigin),
            Ok(ALL) => Ok(Redirects::All),
            _ => Err(format!("the variable {VARIABLE} is neither {SAME:?} nor {ALL:?}")),
        }
    }

    /// Returns the address to which a response redirects, or `None` if the response is not a redirect. `from` is the
    /// address of the request; `status` and `location` are the status and the Location header of the response. A
    /// redirect that this policy forbids is an error.
    pub fn next(self, from: &Url, status: u16, location: Option<&str>) -> Result<Option<Url>, ResponseFault> {
        let (301 | 302 | 303 | 307 | 308, Some(location)) = (status, location) else { return Ok(None) };
        let shown = |address: &str| quoted(&address::shown(Path::new(address)));
        let next = from.join(location).map_err(|_| ResponseFault::OtherScheme(shown(location)))?;
        let shown = shown(next.as_str());
        // `OtherOrigin` advises the user to allow all redirects, so it is returned only if `Redirects::All` would
        // follow this redirect.
        match next.scheme() {
            _ if next.origin() == from.origin() => Ok(Some(next)),
            "http" if from.scheme() == "https" => Err(ResponseFault::Unencrypted(shown)),
            "http" | "https" if self == Redirects::All => Ok(Some(next)),
            "http" | "https" => Err(ResponseFault::OtherOrigin(shown)),
            _ => Err(ResponseFault::OtherScheme(shown)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(redirects: Redirects, location: &str) -> Result<Option<String>, ResponseFault> {
        let from = Url::parse("https://host.example/of/games/a.tbl").unwrap();
        Ok(redirects.next(&from, 302, Some(location))?.map(String::from))
    }

    #[test]
    fn the_origin_is_scheme_host_and_port() {
        for location in ["/b.tbl", "//host.example/b.tbl", "https://host.example:443/b.tbl", "../../b.tbl"] {
            assert_eq!(next(Redirects::SameOrigin, location), Ok(Some("https://host.example/b.tbl".into())));
        }
        for location in ["https://host.example:8443/b", "https://example/b"] {
            assert!(matches!(next(Redirects::SameOrigin, location), Err(ResponseFault::OtherOrigin(_))), "{location}");
        }
    }

    #[test]
    fn the_policy_is_advised_only_if_it_helps() {
        for redirects in [Redirects::SameOrigin, Redirects::All] {
            assert!(matches!(next(redirects, "http://host.example/b"), Err(ResponseFault::Unencrypted(_))));
            for location in ["//[", "file:///etc/passwd", "gopher://other.example/"] {
                assert!(matches!(next(redirects, location), Err(ResponseFault::OtherScheme(_))), "{location}");
            }
        }
    }

    /// A signed address has a secret in its query.
    #[test]
    fn messages_hide_the_secrets_of_a_location() {
        for location in ["https://me:secret@other.example/b?sign=secret", "ftp://me:secret@other.example/b#secret"] {
            let fault = next(Redirects::SameOrigin, location).unwrap_err().to_string();
            assert!(fault.contains("://***@other.example/b") && !fault.contains("secret"), "{fault}");
        }
    }

    #[test]
    fn all_hosts_are_those_with_encryption_if_the_first_has_it() {
        assert_eq!(next(Redirects::All, "https://other.example/b"), Ok(Some("https://other.example/b".into())));
        assert!(matches!(next(Redirects::All, "http://other.example/b"), Err(ResponseFault::Unencrypted(_))));
    }

    #[test]
    fn other_answers_are_no_redirects() {
        let from = Url::parse("http://host.example/").unwrap();
        for (status, location) in [(302, None), (300, Some("/b")), (304, Some("/b")), (200, Some("/b"))] {
            assert_eq!(Redirects::All.next(&from, status, location), Ok(None));
        }
    }
}

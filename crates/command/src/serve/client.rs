//! Clients of the server, identified by their addresses.

use std::net::{IpAddr, Ipv6Addr};

/// The number of bits of an IPv6 address that a client can choose freely: the interface identifier.
const OWN_BITS: u32 = 64;

/// The client at an address. All addresses of an IPv6 /64 network are one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(IpAddr);

impl Client {
    /// Returns the client that connects from `address`.
    pub fn at(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> OWN_BITS << OWN_BITS).into(),
            address @ IpAddr::V4(_) => address,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_64_bits_is_one_client() {
        let client = |text: &str| Client::at(text.parse().unwrap());
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:1:2:3"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_eq!(client("::ffff:192.0.2.7"), client("192.0.2.7"));
        assert_ne!(client("192.0.2.7"), client("192.0.2.8"));
    }
}

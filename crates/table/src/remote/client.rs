//! Asking a server for bytes, and waiting for them.

use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, ObjectStore, ObjectStoreExt, PutMode, coalesce_ranges};

use super::explain::{explain, is_taken};
use super::patience::Patience;
use super::responder::Responder;
use super::runtime::wait;
use super::service::{SMALL, within};
use super::store_place::StorePlace;
use crate::per_process::PerProcess;

/// Most bytes of the list of a folder of a bucket, with all its pages.
const LONGEST_LISTING: u64 = 64 << 20;

/// Two ranges with a gap of so many bytes between them are fetched as one.
const GAP: u64 = 32 << 10;

/// A piece of a file, with what the server says of the whole.
pub struct Piece {
    pub length: u64,
    /// The server's mark of the file's contents.
    pub mark: Option<String>,
}

/// What asks for the files at an address.
pub struct Client {
    place: StorePlace,
    /// A forked process connects anew: connections and their tasks belong to the parent's runtime.
    stores: PerProcess<Box<dyn ObjectStore>>,
    /// What the names of files there begin with.
    prefix: Path,
}

impl Client {
    /// The error says what is wrong with the address.
    pub fn new(address: &str, patience: &Patience) -> Result<Client, String> {
        Client::asking(address, patience, None)
    }

    /// As [`Client::new`], asking a server in memory if there is one.
    pub fn asking(address: &str, patience: &Patience, responder: Option<Arc<dyn Responder>>) -> Result<Client, String> {
        let place = StorePlace { address: address.into(), patience: patience.clone(), responder };
        let (store, prefix) = place.make()?;
        let stores = PerProcess::new();
        let _ = stores.get(|| Ok::<_, String>(store));
        Ok(Client { place, stores, prefix })
    }

    fn store(&self) -> io::Result<&dyn ObjectStore> {
        let store = self.stores.get(|| self.place.make().map(|(store, _)| store));
        store.map(|store| &**store).map_err(io::Error::other)
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.prefix.clone(), |path, part| path.join(part))
    }

    /// The bytes of a whole file of at most `most` bytes.
    pub fn whole(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let (store, place) = (self.store()?, self.path(name));
        wait(within(most, async {
            let answer = store.get_opts(&place, GetOptions::default()).await.map_err(|error| explain(&error))?;
            let bytes = answer.bytes().await.map_err(|error| explain(&error))?;
            Ok(bytes.into())
        }))
    }

    /// The length of a file.
    pub fn length(&self, name: &str) -> io::Result<u64> {
        let (store, place) = (self.store()?, self.path(name));
        wait(within(SMALL, async { Ok(store.head(&place).await.map_err(|error| explain(&error))?.size) }))
    }

    /// Writes a whole file. If it is to be `new` and there is one of its name, the error is `AlreadyExists`.
    pub fn put(&self, name: &str, bytes: Vec<u8>, new: bool) -> io::Result<()> {
        let (store, place) = (self.store()?, self.path(name));
        let mode = if new { PutMode::Create } else { PutMode::Overwrite };
        wait(within(SMALL, async {
            match store.put_opts(&place, bytes.into(), mode.into()).await {
                Err(error) if new && is_taken(&error) => Err(io::Error::new(ErrorKind::AlreadyExists, "there already")),
                put => put.map(drop).map_err(|error| explain(&error)),
            }
        }))
    }

    /// The files in a folder with their lengths, not those in folders below.
    pub fn list(&self, folder: &str) -> io::Result<Vec<(String, u64)>> {
        let (store, place) = (self.store()?, self.path(folder));
        let found = wait(within(LONGEST_LISTING, async {
            store.list_with_delimiter(Some(&place)).await.map_err(|error| explain(&error))
        }))?;
        let name = |path: &Path| path.filename().map(|name| format!("{folder}/{name}"));
        Ok(found.objects.iter().filter_map(|object| Some((name(&object.location)?, object.size))).collect())
    }

    /// Deletes a file if it is there.
    pub fn delete(&self, name: &str) -> io::Result<()> {
        let (store, place) = (self.store()?, self.path(name));
        wait(within(SMALL, async {
            match store.delete(&place).await {
                Err(Error::NotFound { .. }) => Ok(()),
                done => done.map_err(|error| explain(&error)),
            }
        }))
    }

    /// The bytes of ranges of a file, those that lie together by one request and several requests at a time; `check`
    /// looks at what the server says of the file with each.
    pub fn ranges(
        &self,
        name: &str,
        ranges: &[Range<u64>],
        check: impl Fn(Piece) -> io::Result<()> + Sync,
    ) -> io::Result<Vec<Bytes>> {
        let (store, place, check) = (self.store()?, self.path(name), &check);
        let fetch = |range: Range<u64>| {
            let place = place.clone();
            async move {
                let asked = GetOptions { range: Some(GetRange::Bounded(range.clone())), ..GetOptions::default() };
                let answer = store.get_opts(&place, asked).await.map_err(|error| explain(&error))?;
                check(Piece { length: answer.meta.size, mark: answer.meta.e_tag.clone() })?;
                let bytes = answer.bytes().await.map_err(|error| explain(&error))?;
                match bytes.len() as u64 == range.end - range.start {
                    true => Ok(bytes),
                    false => Err(io::Error::new(ErrorKind::UnexpectedEof, "the answer ends too soon")),
                }
            }
        };
        wait(within(SMALL, coalesce_ranges(ranges, fetch, GAP)))
    }
}

//! A blocking client for the files at an address.

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
use yomikiri_table::per_process::PerProcess;

/// Maximum number of bytes in a bucket's listing of one folder, over all its pages.
const LONGEST_LISTING: u64 = 64 << 20;

/// The maximum gap in bytes between two ranges that are fetched in one request.
const GAP: u64 = 32 << 10;

/// The facts about a whole file that a server sends with each range of the file: its length and its entity tag.
pub struct Piece {
    /// Length of the whole file in bytes.
    pub length: u64,
    /// The entity tag of the file's contents; `None` if the server sends none.
    pub etag: Option<String>,
}

/// Requests files at an address.
pub struct Client {
    place: StorePlace,
    /// The object store, one for each process: its connections and tasks belong to the runtime of the process that made
    /// it.
    stores: PerProcess<Box<dyn ObjectStore>>,
    /// The path that precedes all file names in the store.
    prefix: Path,
}

impl Client {
    /// Creates a client for an address. The error says what is wrong with the address.
    pub fn new(address: &str, patience: &Patience) -> Result<Client, String> {
        Client::asking(address, patience, None)
    }

    /// Like [`Client::new`], but sends requests to the in-memory server `responder` instead of the network. `None`
    /// means the network.
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

    /// Returns the bytes of a whole file. A file of more than `most` bytes is an error.
    pub fn whole(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let (store, place) = (self.store()?, self.path(name));
        wait(within(most, async {
            let answer = store.get_opts(&place, GetOptions::default()).await.map_err(|error| explain(&error))?;
            let bytes = answer.bytes().await.map_err(|error| explain(&error))?;
            Ok(bytes.into())
        }))
    }

    /// Returns the length of a file in bytes.
    pub fn length(&self, name: &str) -> io::Result<u64> {
        let (store, place) = (self.store()?, self.path(name));
        wait(within(SMALL, async { Ok(store.head(&place).await.map_err(|error| explain(&error))?.size) }))
    }

    /// Writes a whole file. If a file of the same name exists, replaces it, or returns an error of kind
    /// [`ErrorKind::AlreadyExists`] if `new` is set.
    pub fn put(&self, name: &str, bytes: Vec<u8>, new: bool) -> io::Result<()> {
        let (store, place) = (self.store()?, self.path(name));
        let mode = if new { PutMode::Create } else { PutMode::Overwrite };
        wait(within(SMALL, async {
            match store.put_opts(&place, bytes.into(), mode.into()).await {
                Err(error) if new && is_taken(&error) => {
                    Err(io::Error::new(ErrorKind::AlreadyExists, "already exists"))
                }
                put => put.map(drop).map_err(|error| explain(&error)),
            }
        }))
    }

    /// Returns the names and lengths in bytes of the files in a folder. Each name is `folder/NAME`. Files in subfolders
    /// are left out.
    pub fn list(&self, folder: &str) -> io::Result<Vec<(String, u64)>> {
        let (store, place) = (self.store()?, self.path(folder));
        let found = wait(within(LONGEST_LISTING, async {
            store.list_with_delimiter(Some(&place)).await.map_err(|error| explain(&error))
        }))?;
        let name = |path: &Path| path.filename().map(|name| format!("{folder}/{name}"));
        Ok(found.objects.iter().filter_map(|object| Some((name(&object.location)?, object.size))).collect())
    }

    /// Deletes a file if it exists.
    pub fn delete(&self, name: &str) -> io::Result<()> {
        let (store, place) = (self.store()?, self.path(name));
        wait(within(SMALL, async {
            match store.delete(&place).await {
                Err(Error::NotFound { .. }) => Ok(()),
                done => done.map_err(|error| explain(&error)),
            }
        }))
    }

    /// Returns the bytes of each range of a file, in the order of `ranges`. Fetches nearby ranges in one request, and
    /// makes several requests at a time. `check` inspects the length and entity tag of the file in each response.
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
                check(Piece { length: answer.meta.size, etag: answer.meta.e_tag.clone() })?;
                let bytes = answer.bytes().await.map_err(|error| explain(&error))?;
                match bytes.len() as u64 == range.end - range.start {
                    true => Ok(bytes),
                    false => Err(io::Error::new(ErrorKind::UnexpectedEof, "the response ends early")),
                }
            }
        };
        wait(within(SMALL, coalesce_ranges(ranges, fetch, GAP)))
    }
}

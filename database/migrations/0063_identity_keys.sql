-- Further keys of an identity: records that name one of them speak of the identity as well. Its own key is in component_identity.
create table identity_key (
  identity_id uuid not null references component_identity (id),
  number smallint not null check (number > 0),
  -- contract/identity.ts, keyOrigins
  origin text not null,
  ecosystem text not null,
  package_key text not null,
  version text not null,
  release text,
  stream text not null,
  scheme text not null,
  version_key bytea,
  decidability text not null,
  basis text not null,
  -- Whether a loaded record names it; null where data decide without that.
  is_named boolean,
  primary key (identity_id, number)
);

create index identity_key_package on identity_key (package_key);

-- The ecosystems of further keys that are covered, beside the identity's own. null: none will ever be.
alter table component_identity
  add column other_ecosystems text[];

-- Entries of a list in each value; and the further keys of all identities of the batch, a list for each.
alter table identity_batch
  add column other_ecosystems text not null default '',
  add column further_keys jsonb not null default '[]';

-- Which source package the packages of a distribution were built from, as the records on the source say. A fact about the distribution, which
-- no withdrawn record takes back.
create table binary_source (
  package_key text not null,
  release text not null,
  source_key text not null,
  primary key (package_key, release, source_key)
);

-- The next comparison with the whole file of Ubuntu reads the stored records for it again.
update data_source set content_hash = null, last_success_at = null where name = 'osv-reconcile:Ubuntu';

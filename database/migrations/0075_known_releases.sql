-- Releases of distributions that some record has spoken of. One that no record speaks of is covered by nothing, however much is loaded of the others.
create table known_release (
  ecosystem text not null,
  release text not null,
  primary key (ecosystem, release)
);

insert into known_release (ecosystem, release)
select distinct split_part(package_key, chr(31), 1), release
from affected_range
where release <> '';

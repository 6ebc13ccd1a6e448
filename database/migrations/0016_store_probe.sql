-- Never holds a row: readiness writes one here and rolls it back, and so notices a disk that is full. Kept in place and uncompressed,
-- a row of more than half a page takes a page of its own.
create table store_probe (filler text not null);
alter table store_probe alter column filler set storage plain;

-- By which reader (`readerGeneration`) the files of a source were last begun to be read: where the one of this release gives other results, all are read again. 0: before this was kept.
alter table data_source add column reader_generation smallint not null default 0;

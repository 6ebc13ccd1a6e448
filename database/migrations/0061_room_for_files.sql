-- How many bytes the files of reports may take in a workspace, as the operator has set it; null: as many as in every other one.
alter table workspace
  add column most_file_bytes bigint check (most_file_bytes >= 0);

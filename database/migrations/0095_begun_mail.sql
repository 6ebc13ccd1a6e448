-- Whether the mail server may have seen a message that a process has: only then its death counts as one while the message was sent. True: also what
-- processes of the earlier release have.
alter table mail add column is_begun boolean not null default true;

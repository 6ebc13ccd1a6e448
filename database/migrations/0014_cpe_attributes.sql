-- Of a product named by CPE the stream has every attribute that narrows it, not only what the product runs in: edition, language, software
-- edition, target software, target hardware, other, update, with U+001F between them.

update component_identity
set stream = repeat(chr(31), 3) || substr(stream, 5) || repeat(chr(31), 3)
where scheme = 'generic' and starts_with(stream, 'for ');

update affected_range
set stream = repeat(chr(31), 3) || substr(stream, 5) || repeat(chr(31), 3)
where scheme = 'generic' and starts_with(stream, 'for ');

-- Versions of Julia packages are ordered with their builds, which has no keys: the texts decide. Ranges of before are compared so until their records come again.
update affected_range
set scheme = 'julia', lower_key = null, upper_key = case when upper_text is null then upper_key end
where package_key > 'Julia' || chr(31) and package_key < 'Julia' || chr(32) and scheme = 'semver';

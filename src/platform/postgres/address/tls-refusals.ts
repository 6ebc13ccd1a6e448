const untrusted =
  "the server's certificate was issued by an authority that is not trusted here; name the file of its certificate in sslrootcert"

/** What is wrong with the server's certificate, by Node's code. */
const judgements = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "the server's certificate does not name this host"],
  ['CERT_HAS_EXPIRED', "the server's certificate, or that of its authority, has expired; renew it"],
  [
    'CERT_NOT_YET_VALID',
    "the server's certificate, or that of its authority, is not valid yet; correct the clock of this machine, or renew it",
  ],
])

const notTaken = 'the server does not accept the certificate in sslcert; name one that it accepts'

/** What the server has against this side, by the number of its alert (RFC 8446, section 6.2). */
const alerts = new Map([
  ['42', notTaken],
  ['43', notTaken],
  ['44', notTaken],
  ['45', 'for the server, the certificate in sslcert has expired; renew it'],
  ['46', notTaken],
  ['48', 'the server does not know the authority of the certificate in sslcert; add it to ssl_ca_file there'],
  [
    '70',
    'the server speaks no version of TLS that is accepted here; correct ssl_max_protocol_version there, or ssl_min_protocol_version',
  ],
])

/** Why there is no encrypted session, in words; undefined if that is not the reason. The code of an alert is another one by the version of TLS; its number is in the message. */
export function refusalOfTls(code: string | null, message: string): string | undefined {
  const [, alert = ''] = /SSL alert number (\d+)/.exec(message) ?? []
  return judgements.get(code ?? '') ?? alerts.get(alert)
}

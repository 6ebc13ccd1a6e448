import { visibleText } from '../contract/hidden-characters.ts'

const mask = '[redacted]'

/** A token of ours wherever it is written. */
const token = /svc_[A-Za-z0-9_-]{43}/g
/** In an address also set-up and session secrets, which are 43 characters of base64url; no id or name of ours is as long. */
const secretInPath = /[A-Za-z0-9_-]{43,}/g
/** Headers that carry a credential, as a member of a JSON object at any depth. */
const header =
  /("(?:authorization|proxy-authorization|x-api-key|cookie|set-cookie)":)(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi
const credentialsInUrl = /(\b(?:https?|smtps?):\/\/)[^\s/?#"@]+@/gi

/** A line of the log without any credential. */
export function redactLine(line: string): string {
  return line.replace(header, `$1"${mask}"`).replace(token, mask).replace(credentialsInUrl, '$1')
}

/** An address's path without secrets, even where they are percent-encoded, once or more. */
export function redactPath(path: string): string {
  for (let text = path, round = 0; round < 4; round += 1) {
    const masked = text.replace(secretInPath, mask)
    if (masked !== text) return masked
    const decoded = text.replaceAll(/%[0-7][0-9a-f]/gi, (code) => decodeURIComponent(code))
    if (decoded === text) break
    text = decoded
  }
  return path
}

/** What follows the host of an address may be a credential: the path of a chat channel, the query of a mirror. */
const addressInError = /\b(https?:\/\/[^\s/?#"]+)[^\s"]*/gi

/** The message of an error without secrets, addresses cut after their host. */
export function redactError(message: string): string {
  return redactPath(redactLine(message).replace(addressInError, '$1/…'))
}

/** Names of the schema, which PostgreSQL quotes after saying what they are. */
const schemaName = /\b(constraint|relation|column|table|index|type|function) "(\w+)"/g
const quotedText = /"[^]*"|"[^]*$|`[^]*`|(?<!\w)'[^]*'/g

/**
 * As `redactError`, on one line and without quoted text: an error quotes what it could not read, which may be somebody's document.
 * Names of tables and the like stay.
 */
export function errorWithoutContent(message: string): string {
  const [line = ''] = message.trim().split(/[\r\n]/, 1)
  const plain = line.replace(schemaName, '$1 $2').replace(quotedText, '“…”')
  return visibleText(redactError(plain).slice(0, 300))
}

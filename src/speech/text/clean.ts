// Strips control characters, emoji and Markdown from text before synthesis.

/** Keycaps, flags, skin tones and joiners are part of emoji; digits, # and * only before a keycap. */
const emoji =
  /[#*\d]\ufe0f?\u20e3|(?![©®™↔-↪])\p{Extended_Pictographic}|[\u{1f1e6}-\u{1f1ff}]|[\u{1f3fb}-\u{1f3ff}]|\ufe0e|\ufe0f|\u200d|\u20e3|[\u{e0020}-\u{e007f}]/gu
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufff9-\uffff]/g

export function stripMarkup(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/(\d)[\u00a0\u202f](?=\d{3}(?!\d))/g, '$1') // thousands separators
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(emoji, ' ')
    .replace(invisible, '')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(withoutMarkdown)
    .filter((line) => line !== '')
    .join('\n')
}

function withoutMarkdown(line: string): string {
  const bare = line
    .trim()
    .replace(/^(?:`{3,}|~{3,}).{0,40}$/, '') // code fences
    .replace(/^[|:\s-]{3,}$|^(?:\s*[*_-]){3,}\s*$/, '') // rules, and the line under a table's head
    .replace(/^(?:>\s?){1,9}/, '')
    .replace(/^#{1,6}\s+/, '')
    .replace(/^(?:[*+•‣–-]|\[[ x]\])\s+(?:\[[ xX]\]\s+)?/, '')
    .replace(/^\|(.*)\|$/, '$1')
    .replace(/^(\d{1,2})\)\s/, '$1, ')
    .replace(/!?\[([^\][]{0,500})\]\( {0,9}[^()\s]{0,1000}(?: {1,9}"[^"]{0,200}")? {0,9}\)/g, '$1') // links and images
    .replace(/<(https?:\/\/[^<>\s]{1,1000})>/g, '$1')
    .replace(/<\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,200})?\/?>/gi, ' ')
    .replace(/`{1,3}([^`]{1,500})`{1,3}/g, '$1')
    .replace(/(\*{1,3}|~~)(?=\S)([^*~]{1,1000}?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_]{1,1000}?)(?<=\S)\1(?![\p{L}\p{N}_])/gu, '$2')
    .replace(/\*\*|~~|__(?=\s|$)/g, '')
    .replace(/\s{2,}/g, ' ')
    .replace(/ ?\| ?/g, ', ')
    .replace(/ ?(?:→|⇒|➜|=>|->) ?/g, ', ')
  return bare.replace(/ {2,}/g, ' ').trim()
}

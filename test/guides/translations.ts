// The translated guides and the English texts they were made from. `npm run translations` lists them:
// `-- diff NAME` shows what changed in English since, `-- done NAME` marks a translation as up to date, `-- --strict`
// fails if one is outdated.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { differences, sectionsOf } from './structure.ts'

const root = join(import.meta.dirname, '..', '..')
const MARK = /^<!-- Translation of \.\.\/([\w-]+)\.md at ([0-9a-f]{40}) -->\n/

export type Translation = {
  name: string
  path: string
  text: string
  english: string
  /** Git's blob id of the English text; null without a mark. */
  madeFrom: string | null
  isOlder: boolean
}

/** Git's blob id of a text, so that Git can find the text again. */
export const blobId = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')

export function translationOf(name: string, text: string, english: string): Translation {
  const [, original, id] = MARK.exec(text) ?? []
  const madeFrom = original === name && id ? id : null
  return {
    name,
    path: join(root, 'docs', 'pt', `${name}.md`),
    text,
    english,
    madeFrom,
    isOlder: madeFrom !== blobId(english),
  }
}

export const translations = (): Translation[] =>
  globSync('docs/pt/*.md', { cwd: root })
    .map((path) => basename(path, '.md'))
    .sort()
    .map((name) =>
      translationOf(name, readText(join('docs', 'pt', `${name}.md`)), readText(join('docs', `${name}.md`))),
    )

const readText = (path: string) => readFileSync(join(root, path), 'utf8')

/**
 * The English text with that id: the current file, or from a commit; null in a copy without history. An object that
 * Git keeps but no commit contains does not count: a clone would not have it.
 */
export function englishAt({ name, english, madeFrom }: Translation): string | null {
  if (madeFrom === null) return null
  if (madeFrom === blobId(english)) return english
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  try {
    const commit = git('log', '--format=%H', '-1', `--find-object=${madeFrom}`, '--', `docs/${name}.md`)
    return commit === '' ? null : git('cat-file', 'blob', madeFrom)
  } catch {
    return null
  }
}

/** Errors of a translation compared with the English text it was made from. Being outdated is not an error. */
export function problems(translation: Translation, english = englishAt(translation)): string[] {
  const { name, text, madeFrom } = translation
  if (madeFrom === null)
    return [`docs/pt/${name}.md does not begin with its mark: npm run translations -- done ${name}`]
  if (english === null)
    return hasHistory() ? [`docs/pt/${name}.md was made from ${madeFrom}, which is no known text`] : []
  return differences(sectionsOf(english), sectionsOf(text, 'pt')).map((one) => `docs/pt/${name}.md: ${one}`)
}

/** Whether the whole history is present: neither a release without it nor a shallow clone. */
function hasHistory(): boolean {
  try {
    const shallow = execFileSync('git', ['rev-parse', '--is-shallow-repository'], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    return shallow.trim() === 'false'
  } catch {
    return false
  }
}

export function markDone({ name, path, text, english }: Translation): void {
  writeFileSync(path, `<!-- Translation of ../${name}.md at ${blobId(english)} -->\n${text.replace(MARK, '')}`)
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

function run([command, name]: readonly string[]): number {
  const all = translations()
  const one = all.find((translation) => translation.name === name)
  if ((command === 'diff' || command === 'done') && !one) {
    print(`Usage: npm run translations -- ${command} NAME, with one of: ${all.map((each) => each.name).join(', ')}`)
    return 1
  }
  if (command === 'done' && one) {
    markDone(one)
    return 0
  }
  if (command === 'diff' && one) {
    if (one.isOlder)
      execFileSync('git', ['diff', one.madeFrom ?? '', `docs/${one.name}.md`], { cwd: root, stdio: 'inherit' })
    return 0
  }
  for (const translation of all) {
    print(`docs/pt/${translation.name}.md: ${translation.isOlder ? 'older than its English guide' : 'up to date'}`)
    for (const problem of problems(translation)) print(`  ${problem}`)
  }
  return command === '--strict' && all.some(({ isOlder }) => isOlder) ? 1 : 0
}

if (import.meta.main) process.exitCode = run(process.argv.slice(2))

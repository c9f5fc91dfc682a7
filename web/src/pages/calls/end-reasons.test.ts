// Every reason that the platform gives for the end of a call has words here.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { endReasons, isTrouble, reasonIn } from './end-reasons.ts'

const source = join(import.meta.dirname, '../../../../src')

/** As the code of the phone and the conversation writes them. */
function reasonsInCode(): Set<string> {
  const found = new Set<string>()
  const files = globSync('{phone,voice,api/calls,webcall,*}{/,}*.ts', { cwd: source })
  for (const name of files) {
    if (name.endsWith('.test.ts')) continue
    const text = readFileSync(join(source, name), 'utf8')
    const written = [
      /endReason: '([a-z_]+)'/g,
      /\bover\((?:state|next), '([a-z_]+)'/g,
      /failed\(state, '[a-z-]+', '([a-z_]+)'/g,
      /\bno\(\d{3}, '([a-z_]+)'/g,
      /(?:refusal|turnedAway)\(\w+, \d{3}, '([a-z_]+)'/g,
      /\bfailed\('([a-z_]+_(?:error|limit))'/g,
    ]
    for (const pattern of written) for (const [, reason] of text.matchAll(pattern)) if (reason) found.add(reason)
  }
  return found
}

test('No reason of the platform is without words', () => {
  const reasons = reasonsInCode()
  assert.ok(reasons.size > 15, `only ${[...reasons]} were found in the code`)
  assert.deepEqual(
    [...reasons].filter((reason) => !endReasons.some((known) => known === reason)),
    [],
  )
})

test('A reason that is not known is shown as it came, and none is none', () => {
  const words = Object.fromEntries(
    endReasons.map((reason) => [reason, { short: `W ${reason}`, means: 'm' }]),
  ) as Parameters<typeof reasonIn>[0]
  assert.deepEqual(reasonIn(words, 'new_thing'), { short: 'new_thing', means: null })
  assert.deepEqual(reasonIn(words, 'toString'), { short: 'toString', means: null })
  assert.equal(reasonIn(words, null), null)
  assert.equal(reasonIn(words, 'busy')?.short, 'W busy')
})

test('A person who hangs up is no trouble, a trunk out of order is', () => {
  assert.equal(isTrouble('caller_hangup'), false)
  assert.equal(isTrouble('trunk_unavailable'), true)
  assert.equal(isTrouble(null), false)
})

// The Dockerfile, compose.yaml and the code agree: packages, files, settings and ports. (No image is built here.)
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { aiSdkProviders } from '../src/config/config.ts'
import { isTest, settingsExplained } from './architecture-rules.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ')
const compose = read('compose.yaml')
const lines = (word: string) =>
  [...dockerfile.matchAll(new RegExp(`^${word} (.+)$`, 'gm'))].map(([, rest = '']) => rest)

const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')

/** The packages that a file needs at run time: type-only imports are excluded. */
function packagesOf(source: string): string[] {
  const names = [
    ...source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[\w*{][^'"]*?\sfrom\s*)?'([^'\n]+)'/gm),
    ...source.matchAll(/(?<!typeof )\bimport\('([^'\n]+)'\)/g),
  ].map(([, name = '']) => name)
  return names.filter((name) => !name.startsWith('.') && !isBuiltin(name)).map(packageOf)
}

test('production code needs no development package: npm ci --omit=dev is enough', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json'))
  // Operators install the provider that they configure; without its package the platform reports it.
  const chosen = [...aiSdkProviders.map((name) => `@ai-sdk/${name}`), 'node-llama-cpp']
  const there = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...chosen])
  const files = globSync('src/**/*.ts', { cwd: root }).filter((path) => !isTest(path) && !/-testing\.ts$/.test(path))
  const missing = files.flatMap((path) =>
    packagesOf(read(path)).flatMap((name) => (there.has(name) ? [] : `${path} needs ${name}`)),
  )
  assert.ok(files.length > 300)
  assert.deepEqual(missing, [])
})

test('the packages of a file are found, however they are imported', () => {
  const source = `import a from 'one'
import type { B } from 'typed'
import { type C, d } from '@two/three/four'
import 'five'
import fs from 'node:fs'
const lazy = await import('six')
type E = typeof import('seven')
import f from './own.ts'`
  assert.deepEqual(packagesOf(source), ['one', '@two/three', 'five', 'six'])
})

test('the image contains the production files, and neither data nor secrets', () => {
  const copied = lines('COPY').filter((rest) => !rest.startsWith('--from'))
  const named = copied.flatMap((rest) => rest.split(' ').slice(0, -1))
  for (const path of named) assert.ok(existsSync(join(root, path)), path)
  for (const needed of ['package.json', '.env.example', 'ramal', 'src']) assert.ok(named.includes(needed), needed)
  assert.ok(lines('COPY').includes('--from=web /app/web/dist web/dist'))
  const ignored = read('.dockerignore').split('\n')
  for (const path of ['.env', 'data', 'node_modules', '.git']) assert.ok(ignored.includes(path), path)
  const [command = ''] = lines('CMD')
  assert.ok(existsSync(join(root, JSON.parse(command).at(-1))))
})

test('it does not run as root, and SIGTERM reaches it: no shell and no npm in between', () => {
  assert.deepEqual(lines('USER'), ['node'])
  assert.equal(JSON.parse(lines('CMD')[0] ?? '')[0], 'node')
  assert.deepEqual(lines('ENTRYPOINT'), [])
})

test('the settings in the image and in compose.yaml exist, and their ports are published', () => {
  const known = settingsExplained(read('.env.example'))
  const env = Object.fromEntries(
    (lines('ENV')[0] ?? '')
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('=', 2)),
  )
  const { NODE_ENV, ...settings } = env as Record<string, string>
  assert.equal(NODE_ENV, 'production')
  const inCompose = [...compose.matchAll(/^ {6}([A-Z_]+): (.+)$/gm)].filter(
    ([, name = '']) => !name.startsWith('POSTGRES'),
  )
  for (const name of [...Object.keys(settings), ...inCompose.map(([, name = '']) => name)])
    assert.ok(known.includes(name), name)
  for (const [, name = '', value] of inCompose) assert.equal(settings[name], value, name)
  const ports = ['3000', '5060/udp', '5060/tcp', `${settings.RTP_PORTS}/udp`]
  assert.deepEqual(lines('EXPOSE'), [ports.join(' ')])
  const published = [...compose.matchAll(/^ {6}- '(?:([\d.]+):)?([\d-]+):([\d-]+(?:\/\w+)?)'$/gm)]
  assert.deepEqual(
    published.map(([, , , inside]) => inside),
    ports,
  )
  const [http, ...others] = published.map(([, address]) => address)
  assert.equal(http, '127.0.0.1', 'plain HTTP stays on the machine')
  assert.ok(others.every((address) => address === undefined))
})

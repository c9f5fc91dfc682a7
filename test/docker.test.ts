// The Dockerfile, compose.yaml, compose.cluster.yaml and the code agree: packages, files, settings and ports. (No image
// is built here.)
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { aiSdkProviders } from '../src/config/config.ts'
import { isTest, settingsExplained } from './architecture-rules.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ')
const compose = read('compose.yaml')
const lines = (word: string) =>
  [...dockerfile.matchAll(new RegExp(`^${word} (.+)$`, 'gm'))].map(([, rest = '']) => rest)

const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')

/** The packages that a file needs at runtime: type-only imports are excluded. */
function packagesOf(source: string): string[] {
  const names = [
    ...source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[\w*{][^'"]*?\sfrom\s*)?'([^'\n]+)'/gm),
    ...source.matchAll(/(?<!typeof )\bimport\('([^'\n]+)'\)/g),
  ].map(([, name = '']) => name)
  return names.filter((name) => !name.startsWith('.') && !isBuiltin(name)).map(packageOf)
}

test('production code needs no development package: npm ci --omit=dev is enough', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json'))
  // Operators install the provider they configure; the platform reports a missing package.
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

type Service = {
  image?: string
  environment?: Record<string, string>
  ports?: string[]
  networks?: Record<string, { ipv4_address: string }> | string[]
  volumes?: string[]
  depends_on?: string[] | Record<string, unknown>
}
const cluster = parse(read('compose.cluster.yaml'), { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, null>
}
const addressOf = ({ networks }: Service) => (Array.isArray(networks) ? undefined : networks?.ramal?.ipv4_address)

test('compose.cluster.yaml: every node is behind both balancers, with known settings and ports of its own', () => {
  const { services, volumes } = cluster
  const known = new Set(settingsExplained(read('.env.example')))
  const nodes = Object.entries(services).filter(([, { image }]) => image === 'ramal')
  assert.deepEqual(
    nodes.map(([name]) => name),
    ['ramal-1', 'ramal-2'],
  )
  for (const name of ['kamailio', 'haproxy', 'postgres', 'redis', 'objects']) assert.ok(services[name], name)
  for (const [name, { environment = {}, ports, ...service }] of nodes) {
    for (const setting of Object.keys(environment)) assert.ok(known.has(setting), setting)
    assert.deepEqual([environment.NODE_NAME, environment.NODE_HOST], [name, addressOf(service)])
    const range = environment.RTP_PORTS
    assert.deepEqual(ports, [`${range}:${range}/udp`], 'only audio is published')
    assert.equal(environment.TRUST_PROXY, addressOf(services.haproxy ?? {}))
    assert.ok(service.volumes?.includes(`${name}:/data`) && name in volumes)
  }
  const addresses = nodes.map(([, service]) => addressOf(service))
  const list = read('deploy/compose/dispatcher.list')
    .split('\n')
    .filter((line) => /^1 /.test(line))
  assert.deepEqual(
    list.map((line) => line.split(' ')[1]),
    addresses.map((address) => `sip:${address}:5060`),
  )
  const { NODE_1, NODE_2 } = services.haproxy?.environment ?? {}
  assert.deepEqual(
    [NODE_1, NODE_2],
    addresses.map((address) => `${address}:3000`),
  )
  assert.equal(new Set(nodes.map(([, { environment }]) => environment?.RTP_PORTS)).size, nodes.length)
  assert.deepEqual(services.haproxy?.ports, ['127.0.0.1:3000:8080'], 'plain HTTP stays on the machine')
  const mounted = Object.values(services).flatMap((service) =>
    (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? ''),
  )
  for (const path of mounted) assert.ok(path.startsWith('./') ? existsSync(join(root, path)) : path in volumes, path)
  for (const { depends_on: needs = [] } of Object.values(services))
    for (const name of Array.isArray(needs) ? needs : Object.keys(needs)) assert.ok(services[name], name)
})

/** Secrets with a default value that should be required from the operator instead. */
const defaultSecrets = (services: Record<string, Service>) =>
  Object.entries(services).flatMap(([name, { environment = {} }]) =>
    Object.entries(environment)
      .filter(([setting]) => /PASSWORD|SECRET|_KEY|ROOT_USER|DATABASE_URL/.test(setting))
      .filter(([, value]) => !/\$\{[A-Z0-9_]+:\?[^}]+\}/.test(value))
      .map(([setting]) => `${name}: ${setting}`),
  )

test('compose.cluster.yaml has no default secret', () => {
  assert.deepEqual(defaultSecrets(cluster.services), [])
  const { services } = cluster
  const weak = { ...services, objects: { environment: { AWS_SECRET_ACCESS_KEY: `\${S3_SECRET_ACCESS_KEY:-admin}` } } }
  assert.deepEqual(defaultSecrets(weak), ['objects: AWS_SECRET_ACCESS_KEY'])
})

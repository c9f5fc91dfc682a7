// deploy/kubernetes: the manifests follow the published Kubernetes API, agree with Ramal's settings, and contain no
// secrets.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { settingsExplained } from './architecture-rules.ts'
import { buildKustomization, type Manifest } from './kustomize.ts'

const root = join(import.meta.dirname, '..')
const folders = ['base', 'example'].map((name) => join(root, 'deploy/kubernetes', name))

/** The modules of kubernetes-types, which is generated from the Kubernetes OpenAPI document. */
const moduleOf = (apiVersion: string) => {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
  return `kubernetes-types/${group.replace('.k8s.io', '')}/${version}.d.ts`
}

/** The type checker's findings in these manifests: unknown fields, wrong types, missing fields. */
async function problemsOf(manifests: readonly Manifest[]): Promise<string[]> {
  // Inside the repository, so that the package resolves.
  const folder = mkdtempSync(join(root, 'node_modules/.manifests-'))
  try {
    const lines = manifests.map(
      (manifest, i) =>
        `import type { ${manifest.kind} as T${i} } from '${moduleOf(manifest.apiVersion)}'\nexport const m${i}: T${i} = ${JSON.stringify(manifest)}`,
    )
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
    ]
    const args = [join(root, 'node_modules/typescript/bin/tsc'), ...options, '--types', '', 'manifests.ts']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch((error) => error)
    return String(stdout)
      .split('\n')
      .filter((line) => line.includes('error'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const of = (manifests: readonly Manifest[], kind: string, name: string): Manifest =>
  manifests.find((each) => each.kind === kind && each.metadata.name === name)

const copy = (manifest: Manifest): Manifest => structuredClone(manifest)

/** Every value of a field with this name, at any depth. */
const valuesOf = (value: unknown, name: string): Manifest[] =>
  Array.isArray(value)
    ? value.flatMap((item) => valuesOf(item, name))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => [...(key === name ? [inner] : []), ...valuesOf(inner, name)])
      : []

const known = new Set(settingsExplained(readFileSync(join(root, '.env.example'), 'utf8')))

const settingsOf = (manifests: readonly Manifest[]) => {
  const { env } = of(manifests, 'StatefulSet', 'ramal').spec.template.spec.containers[0]
  return [...Object.keys(of(manifests, 'ConfigMap', 'ramal').data), ...env.map((each: Manifest) => each.name)]
}

test('the manifests follow the published API, and a wrong field is found', async () => {
  const [base, example] = folders.map(buildKustomization) as [Manifest[], Manifest[]]
  assert.ok(base.length >= 12 && example.length === base.length)
  assert.deepEqual(await problemsOf([...base, ...example]), [])
  const faults: ((stateful: Manifest) => void)[] = [
    ({ spec }) => {
      spec.template.spec.containers[0].readinesProbe = spec.template.spec.containers[0].readinessProbe
    },
    ({ spec }) => {
      spec.replicas = '2'
    },
    ({ spec }) => {
      delete spec.selector
    },
  ]
  for (const fault of faults) {
    const wrong = copy(of(base, 'StatefulSet', 'ramal'))
    fault(wrong)
    assert.equal((await problemsOf([wrong])).length, 1, fault.toString())
  }
})

test('the settings exist, secrets are references, and what is referred to is there', () => {
  for (const manifests of folders.map(buildKustomization)) {
    for (const name of settingsOf(manifests)) assert.ok(known.has(name), name)
    assert.equal(manifests.filter(({ kind }) => kind === 'Secret').length, 0)
    const { env } = of(manifests, 'StatefulSet', 'ramal').spec.template.spec.containers[0]
    const secret = ['DATABASE_URL', 'REDIS_URL', 'MASTER_KEY', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
    for (const name of secret) {
      const { value, valueFrom } = env.find((each: Manifest) => each.name === name)
      assert.deepEqual([value, valueFrom], [undefined, { secretKeyRef: { name: 'ramal', key: name } }])
      assert.equal(of(manifests, 'ConfigMap', 'ramal').data[name], undefined)
    }
    const maps = [...valuesOf(manifests, 'configMap'), ...valuesOf(manifests, 'configMapRef')]
    assert.ok(maps.length >= 4)
    for (const { name } of maps) assert.ok(of(manifests, 'ConfigMap', name), name)
  }
})

test('a node may finish its calls, is known by its pod, and every node is behind the proxy', () => {
  for (const manifests of folders.map(buildKustomization)) {
    const { spec } = of(manifests, 'StatefulSet', 'ramal')
    const { data } = of(manifests, 'ConfigMap', 'ramal')
    const pod = spec.template.spec
    const [node] = pod.containers
    assert.ok(pod.terminationGracePeriodSeconds > Number(data.DRAIN_SECONDS) + 5 + 15, 'preStop and shutdown included')
    const ports = node.ports.map((each: Manifest) => each.containerPort)
    for (const name of ['PORT', 'SIP_PORT', 'NODE_PORT']) assert.ok(ports.includes(Number(data[name])), name)
    const fields = Object.fromEntries(
      node.env.map((each: Manifest) => [each.name, each.valueFrom?.fieldRef?.fieldPath]),
    )
    assert.deepEqual([fields.NODE_NAME, fields.NODE_HOST], ['metadata.name', 'status.podIP'])
    assert.deepEqual([node.readinessProbe.httpGet.path, node.livenessProbe.httpGet.path], ['/readyz', '/healthz'])
    assert.equal(of(manifests, 'Service', spec.serviceName).spec.clusterIP, 'None')
    const list = of(manifests, 'ConfigMap', 'kamailio-site').data['dispatcher.list'].trim().split('\n')
    const wanted = Array.from(
      { length: spec.replicas },
      (_, i) => `sip:ramal-${i}.${spec.serviceName}:${data.SIP_PORT}`,
    )
    assert.deepEqual(
      list.map((line: string) => line.split(' ')[1]),
      wanted,
    )
  }
  const example = buildKustomization(folders[1] as string)
  const { data } = of(example, 'ConfigMap', 'ramal')
  assert.ok(data.SIP_PROXIES && data.TRUST_PROXY)
})

test('the certificate of SIP over TLS is mounted where tls.cfg looks for it', () => {
  const example = buildKustomization(folders[1] as string)
  assert.match(of(example, 'ConfigMap', 'kamailio-site').data['ramal-local.cfg'], /^#!define WITH_TLS$/m)
  const { containers, volumes } = of(example, 'DaemonSet', 'sip-proxy').spec.template.spec
  const { mountPath, name } = containers[0].volumeMounts.find((mount: Manifest) => mount.name === 'tls')
  const { items } = volumes.find((volume: Manifest) => volume.name === name).secret
  const text = of(example, 'ConfigMap', 'kamailio').data['tls.cfg']
  const named = [...text.matchAll(/^(?:certificate|private_key) = (.+)$/gm)].map(([, path]) => path)
  assert.deepEqual(
    named,
    items.map(({ path }: Manifest) => `${mountPath}/${path}`),
  )
})

test('no container runs as root, writes to its image or has a capability', () => {
  const pods = buildKustomization(folders[0] as string).flatMap(({ spec }) => spec?.template?.spec ?? [])
  assert.equal(pods.length, 3)
  for (const { securityContext, containers } of pods) {
    assert.equal(securityContext.runAsNonRoot, true)
    assert.ok(securityContext.runAsUser > 0)
    for (const { securityContext: own, resources } of containers) {
      assert.deepEqual(own, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      assert.ok(resources.requests.cpu && resources.requests.memory && resources.limits.memory)
    }
  }
})

test('a kustomization that cannot be built is an error', () => {
  const folder = mkdtempSync(join(root, 'node_modules/.manifests-'))
  try {
    const head = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n'
    const build = (text: string) => {
      writeFileSync(join(folder, 'kustomization.yaml'), `${head}${text}`)
      return () => buildKustomization(folder)
    }
    assert.throws(build('resource: [a.yaml]\n'), /unknown fields resource/)
    assert.throws(build('resources: [missing.yaml]\n'), /ENOENT/)
    writeFileSync(join(folder, 'patch.yaml'), 'kind: Service\nmetadata: { name: none }\n')
    assert.throws(build('patches: [{ path: patch.yaml }]\n'), /no Service none to patch/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

// Builds a kustomization as kustomize does, for the fields that deploy/ uses; any other field is an error.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

// biome-ignore lint/suspicious/noExplicitAny: any manifest
export type Manifest = any

/** Keys by which strategic merge patches match list items; other lists are replaced. */
const keyOf: Readonly<Record<string, string>> = {
  containers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  ports: 'port',
}

export function readManifests(path: string): Manifest[] {
  return parseAllDocuments(readFileSync(path, 'utf8'), { uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}`)
    return document.toJS()
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merged(before: unknown, patch: unknown, field: string): unknown {
  if (isObject(before) && isObject(patch)) {
    const result = { ...before }
    for (const [name, value] of Object.entries(patch)) result[name] = merged(before[name], value, name)
    return result
  }
  const key = keyOf[field]
  if (!key || !Array.isArray(before) || !Array.isArray(patch)) return patch
  const same = (item: Manifest) => patch.find((other) => other[key] === item[key])
  const added = patch.filter((item) => !before.some((other) => other[key] === item[key]))
  return [...before.map((item) => merged(item, same(item) ?? item, '')), ...added]
}

const isSame = (a: Manifest, b: Manifest) => a.kind === b.kind && a.metadata.name === b.metadata.name

function imagesReplaced(value: unknown, images: readonly Manifest[]): unknown {
  if (Array.isArray(value)) return value.map((item) => imagesReplaced(item, images))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const image = name === 'image' && images.find((each) => each.name === inner)
      return [name, image ? `${image.newName}:${image.newTag}` : imagesReplaced(inner, images)]
    }),
  )
}

type Step = (resources: Manifest[], value: Manifest, folder: string) => Manifest[]

const steps: Readonly<Record<string, Step>> = {
  resources: (resources, paths: string[], folder) => [
    ...resources,
    ...paths.flatMap((path) => {
      const full = join(folder, path)
      return existsSync(join(full, 'kustomization.yaml')) ? buildKustomization(full) : readManifests(full)
    }),
  ],
  configMapGenerator: (resources, generators: { name: string; files: string[] }[], folder) => [
    ...resources,
    ...generators.map(({ name, files }) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')])),
    })),
  ],
  patches: (resources, patches: { path: string }[], folder) =>
    patches
      .flatMap(({ path }) => readManifests(join(folder, path)))
      .reduce<Manifest[]>((all, patch) => {
        if (!all.some((each) => isSame(each, patch)))
          throw new Error(`no ${patch.kind} ${patch.metadata.name} to patch in ${folder}`)
        return all.map((each) => (isSame(each, patch) ? merged(each, patch, '') : each))
      }, resources),
  images: (resources, images) => resources.map((each) => imagesReplaced(each, images)),
  namespace: (resources, namespace) =>
    resources.map((each) => ({ ...each, metadata: { ...each.metadata, namespace } })),
  labels: (resources, labels: { pairs: Record<string, string> }[]) =>
    resources.map((each) => ({
      ...each,
      metadata: {
        ...each.metadata,
        labels: Object.assign({}, each.metadata.labels, ...labels.map(({ pairs }) => pairs)),
      },
    })),
}

/** The resources of the kustomization in a folder. */
export function buildKustomization(folder: string): Manifest[] {
  const [{ apiVersion, kind, ...fields }] = readManifests(join(folder, 'kustomization.yaml')) as [Manifest]
  if (apiVersion !== 'kustomize.config.k8s.io/v1beta1' || kind !== 'Kustomization')
    throw new Error(`${folder} has no Kustomization`)
  const unknown = Object.keys(fields).filter((name) => !(name in steps))
  if (unknown.length > 0) throw new Error(`${folder}: unknown fields ${unknown.join()}`)
  return Object.entries(steps).reduce<Manifest[]>(
    (resources, [name, step]) => (fields[name] === undefined ? resources : step(resources, fields[name], folder)),
    [],
  )
}

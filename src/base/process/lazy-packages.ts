// Packages that are loaded on first use: at startup they would take time and memory that many processes never need.
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

export const loadAjv = () => load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
export const loadJsonStringify = () => load('fast-json-stringify') as typeof import('fast-json-stringify')
export const loadMarkdownIt = () => load('markdown-it') as typeof import('markdown-it').default
export const loadPromClient = () => load('prom-client') as typeof import('prom-client')
export const loadSwagger = () => load('@fastify/swagger') as typeof import('@fastify/swagger')
export const loadUndici = () => load('undici') as typeof import('undici')

// /api/knowledge-bases, their documents, and a test search
import { appError } from '../../base/errors/errors.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { Upload, withUploads } from '../../http/uploads.ts'
import { targetOf, versioned } from '../../http/versions.ts'
import type { ContentType, GivenSource, ReadDocument } from '../../retrieval/documents/reader.ts'
import { type DocumentStore, type ParsedDocument, toDocument } from './document-store.ts'
import {
  ByDocument,
  DocumentWithPassages,
  KnowledgeBase,
  KnowledgeBasePatch,
  KnowledgeDocument,
  NewDocument,
  NewKnowledgeBase,
  SearchRequest,
  SearchResult,
  UploadQuery,
  uploadTypes,
} from './schema.ts'
import { type KnowledgeStore, toBase } from './store.ts'

export type KnowledgeParts = {
  knowledge: KnowledgeStore
  documents: DocumentStore
  /** Parses a document and splits it into passages. */
  read(userId: string, source: GivenSource): Promise<ReadDocument>
  search(userId: string, baseId: string, asked: SearchRequest): Promise<SearchResult>
}

type DocumentRequest = { userId: string; body: NewDocument | Upload; query: { name?: string } }

const BASE = '/knowledge-bases/:id'
const DOCUMENTS = `${BASE}/documents`

export const knowledgeRoutes =
  (parts: KnowledgeParts): Routes =>
  (api) => {
    const { knowledge, search } = parts
    const one = { params: ById, response: { 200: KnowledgeBase } }

    addList(api, '/knowledge-bases', {
      summary: 'List knowledge bases',
      record: KnowledgeBase,
      page: (req, page) => knowledge.page(req.userId, page),
      at: (row) => row.createdAt,
      toRecord: toBase,
    })

    api.get(BASE, { ...versioned, schema: { summary: 'Get a knowledge base', ...one } }, (req) =>
      knowledge.get(req.userId, req.params.id),
    )

    api.post(
      '/knowledge-bases',
      {
        ...versioned,
        schema: { summary: 'Create a knowledge base', body: NewKnowledgeBase, response: { 201: KnowledgeBase } },
      },
      async (req, reply) => reply.code(201).send(await knowledge.create(req.userId, req.body)),
    )

    api.patch(
      BASE,
      { ...versioned, schema: { summary: 'Update a knowledge base', body: KnowledgeBasePatch, ...one } },
      (req) => knowledge.update(req.userId, targetOf(req), req.body),
    )

    api.delete(
      BASE,
      { ...versioned, schema: { summary: 'Delete a knowledge base with its documents', ...one } },
      (req) => knowledge.remove(req.userId, targetOf(req)),
    )

    api.post(
      `${BASE}/search`,
      {
        schema: {
          summary: 'Search a knowledge base',
          params: ById,
          body: SearchRequest,
          response: { 200: SearchResult },
        },
      },
      (req) => search(req.userId, req.params.id, req.body),
    )

    documentRoutes(parts)(api)
  }

const documentRoutes =
  ({ knowledge, documents, read }: KnowledgeParts): Routes =>
  (api) => {
    const one = { params: ByDocument, response: { 200: KnowledgeDocument } }

    addList(api, DOCUMENTS, {
      summary: 'List documents',
      record: KnowledgeDocument,
      params: ById,
      check: (req) => knowledge.get(req.userId, req.params.id),
      page: (req, page) => documents.page(req.userId, req.params.id, page),
      at: (row) => row.createdAt,
      toRecord: toDocument,
    })

    api.get(
      `${DOCUMENTS}/:documentId`,
      {
        schema: {
          summary: 'Get a document with its passages',
          params: ByDocument,
          response: { 200: DocumentWithPassages },
        },
      },
      (req) => documents.get(req.userId, req.params.id, req.params.documentId),
    )

    api.delete(`${DOCUMENTS}/:documentId`, { schema: { summary: 'Delete a document', ...one } }, (req) =>
      documents.remove(req.userId, req.params.id, req.params.documentId),
    )

    async function readBody({ userId, body, query }: DocumentRequest): Promise<ParsedDocument> {
      if (!(body instanceof Upload)) {
        const { name, content } = body
        const contentType = body.contentType ?? 'text/plain'
        return { name, contentType, ...(await read(userId, { contentType, content })) }
      }
      const name = query.name?.trim()
      if (!name) throw appError('document_name_missing')
      const contentType = body.mediaType as ContentType
      return { name, contentType, ...(await read(userId, { contentType, bytes: body.bytes, charset: body.charset })) }
    }

    withUploads(api, uploadTypes, (files) => {
      files.post(
        DOCUMENTS,
        {
          schema: {
            summary: 'Add a document: as JSON, or as a file with its own content type and ?name=',
            params: ById,
            querystring: UploadQuery,
            body: NewDocument,
            response: { 201: KnowledgeDocument },
          },
        },
        async (req, reply) => {
          await knowledge.get(req.userId, req.params.id)
          const document = await readBody(req)
          return reply.code(201).send(await documents.add(req.userId, req.params.id, document))
        },
      )

      files.put(
        `${DOCUMENTS}/:documentId`,
        {
          schema: {
            summary: 'Replace the content of a document',
            querystring: UploadQuery,
            body: NewDocument,
            ...one,
          },
        },
        async (req) => {
          const { id, documentId } = req.params
          await documents.require(req.userId, id, documentId)
          const document = await readBody(req)
          return documents.replace(req.userId, id, documentId, document)
        },
      )
    })
  }

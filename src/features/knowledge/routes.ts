// /api/knowledge-bases, their documents, and a test search
import { appError } from '../../base/errors/errors.ts'
import type { Pieces } from '../../base/text/pieces.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { Upload, withUploads } from '../../http/uploads.ts'
import { targetOf, versioned } from '../../http/versions.ts'
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
import { type KnowledgeStore, type ParsedDocument, toBase, toDocument } from './store.ts'

type ContentType = (typeof uploadTypes)[number]
export type Source =
  | { contentType: ContentType; content: string }
  | { contentType: ContentType; bytes: Pieces; charset: string | null }

export type KnowledgeParts = {
  knowledge: KnowledgeStore
  /** Parses a document and splits it into passages. */
  read(userId: string, source: Source): Promise<Pick<ParsedDocument, 'letters' | 'passages'>>
  search(userId: string, baseId: string, asked: SearchRequest): Promise<SearchResult>
}

type DocumentRequest = { userId: string; body: NewDocument | Upload; query: { name?: string } }

export const knowledgeRoutes =
  ({ knowledge, read, search }: KnowledgeParts): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: KnowledgeBase } }
    const oneDocument = { params: ByDocument, response: { 200: KnowledgeDocument } }
    const base = '/knowledge-bases/:id'
    const documents = `${base}/documents`

    addList(api, '/knowledge-bases', {
      summary: 'List knowledge bases',
      record: KnowledgeBase,
      page: (req, page) => knowledge.page(req.userId, page),
      at: (row) => row.createdAt,
      toRecord: toBase,
    })

    api.get(base, { ...versioned, schema: { summary: 'Get a knowledge base', ...one } }, (req) =>
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
      base,
      { ...versioned, schema: { summary: 'Update a knowledge base', body: KnowledgeBasePatch, ...one } },
      (req) => knowledge.update(req.userId, targetOf(req), req.body),
    )

    api.delete(
      base,
      { ...versioned, schema: { summary: 'Delete a knowledge base with its documents', ...one } },
      (req) => knowledge.remove(req.userId, targetOf(req)),
    )

    api.post(
      `${base}/search`,
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

    addList(api, documents, {
      summary: 'List documents',
      record: KnowledgeDocument,
      params: ById,
      check: (req) => knowledge.get(req.userId, (req.params as Params).id),
      page: (req, page) => knowledge.documentPage(req.userId, (req.params as Params).id, page),
      at: (row) => row.createdAt,
      toRecord: toDocument,
    })

    api.get(
      `${documents}/:documentId`,
      {
        schema: {
          summary: 'Get a document with its passages',
          params: ByDocument,
          response: { 200: DocumentWithPassages },
        },
      },
      (req) => knowledge.document(req.userId, req.params.id, req.params.documentId),
    )

    api.delete(`${documents}/:documentId`, { schema: { summary: 'Delete a document', ...oneDocument } }, (req) =>
      knowledge.removeDocument(req.userId, req.params.id, req.params.documentId),
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
        documents,
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
          return reply.code(201).send(await knowledge.addDocument(req.userId, req.params.id, document))
        },
      )

      files.put(
        `${documents}/:documentId`,
        {
          schema: {
            summary: 'Replace the content of a document',
            querystring: UploadQuery,
            body: NewDocument,
            ...oneDocument,
          },
        },
        async (req) => {
          const { id, documentId } = req.params
          await knowledge.requireDocument(req.userId, id, documentId)
          const document = await readBody(req)
          return knowledge.replaceDocument(req.userId, id, documentId, document)
        },
      )
    })
  }

type Params = { id: string }

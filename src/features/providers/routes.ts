// /api/providers
import { Type } from 'typebox'
import type { Role } from '../../base/domain/role.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import {
  LocalServer,
  NewProvider,
  Provider,
  ProviderDraft,
  ProviderModel,
  ProviderPatch,
  ProviderQuery,
  ProviderTest,
  ProviderTestOptions,
  ProviderVendor,
  ProviderVoice,
  RemovedProvider,
  TestDraft,
} from './schema.ts'

/** The user making the request. */
export type Viewer = { userId: string; role: Role }

export type ProviderAccounts = {
  list(viewer: Viewer, query: ProviderQuery): Promise<Provider[]>
  get(viewer: Viewer, id: string): Promise<Provider>
  create(viewer: Viewer, input: NewProvider): Promise<Provider>
  update(viewer: Viewer, id: string, patch: ProviderPatch): Promise<Provider>
  remove(viewer: Viewer, id: string): Promise<RemovedProvider>
  test(viewer: Viewer, id: string, options?: ProviderTestOptions): Promise<ProviderTest>
  testDraft(viewer: Viewer, draft: TestDraft): Promise<ProviderTest>
  models(viewer: Viewer, id: string): Promise<ProviderModel[]>
  modelsOfDraft(viewer: Viewer, draft: ProviderDraft): Promise<ProviderModel[]>
  voices(viewer: Viewer, id: string): Promise<ProviderVoice[]>
  voicesOfDraft(viewer: Viewer, draft: ProviderDraft): Promise<ProviderVoice[]>
  vendors(): ProviderVendor[]
  /** Language model servers on this machine. */
  local(): Promise<LocalServer[]>
}

const viewerOf = (req: { userId: string; grant: { role: Role } | null }): Viewer => ({
  userId: req.userId,
  role: req.grant?.role ?? 'member',
})

export const providerRoutes =
  (accounts: ProviderAccounts): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: Provider } }

    api.get(
      '/providers',
      {
        schema: {
          summary: "List your provider accounts and the platform's; keys are masked",
          querystring: ProviderQuery,
          response: { 200: Type.Array(Provider) },
        },
      },
      (req) => accounts.list(viewerOf(req), req.query),
    )

    api.get('/providers/:id', { schema: { summary: 'Get a provider account', ...one } }, (req) =>
      accounts.get(viewerOf(req), req.params.id),
    )

    api.post(
      '/providers',
      {
        schema: {
          summary: 'Create a provider account; calls that start from now on use it',
          body: NewProvider,
          response: { 201: Provider },
        },
      },
      async (req, reply) => reply.code(201).send(await accounts.create(viewerOf(req), req.body)),
    )

    api.patch(
      '/providers/:id',
      {
        schema: {
          summary: 'Update a provider account; running calls keep what they began with',
          body: ProviderPatch,
          ...one,
        },
      },
      (req) => accounts.update(viewerOf(req), req.params.id, req.body),
    )

    api.delete(
      '/providers/:id',
      {
        schema: {
          summary: 'Delete a provider account, and get the one that is used instead',
          params: ById,
          response: { 200: RemovedProvider },
        },
      },
      (req) => accounts.remove(viewerOf(req), req.params.id),
    )

    vendorRoutes(accounts)(api)
    choiceRoutes(accounts)(api)
  }

/** Routes that send a request to the vendor's server. */
const vendorRoutes =
  (accounts: ProviderAccounts): Routes =>
  (api) => {
    api.post(
      '/providers/:id/test',
      {
        schema: {
          summary:
            'Test a provider account: one word, sentence or sample, and the time to the first token, word or sound',
          params: ById,
          querystring: ProviderTestOptions,
          response: { 200: ProviderTest },
        },
      },
      (req) => accounts.test(viewerOf(req), req.params.id, req.query),
    )

    api.post(
      '/providers/draft/test',
      {
        schema: {
          summary: 'Test values of a provider account before they are stored',
          body: TestDraft,
          response: { 200: ProviderTest },
        },
      },
      (req) => accounts.testDraft(viewerOf(req), req.body),
    )
  }

/** Models, voices and vendors to choose from. */
const choiceRoutes =
  (accounts: ProviderAccounts): Routes =>
  (api) => {
    api.get(
      '/providers/:id/models',
      {
        schema: {
          summary: 'List the models that the vendor offers to a provider account',
          params: ById,
          response: { 200: Type.Array(ProviderModel) },
        },
      },
      (req) => accounts.models(viewerOf(req), req.params.id),
    )

    api.post(
      '/providers/draft/models',
      {
        schema: {
          summary: 'List the models of a vendor before an account is stored',
          body: ProviderDraft,
          response: { 200: Type.Array(ProviderModel) },
        },
      },
      (req) => accounts.modelsOfDraft(viewerOf(req), req.body),
    )

    api.get(
      '/providers/:id/voices',
      {
        schema: {
          summary: 'List the voices that the vendor offers to a provider account of kind tts',
          params: ById,
          response: { 200: Type.Array(ProviderVoice) },
        },
      },
      (req) => accounts.voices(viewerOf(req), req.params.id),
    )

    api.post(
      '/providers/draft/voices',
      {
        schema: {
          summary: 'List the voices of a vendor before an account is stored',
          body: ProviderDraft,
          response: { 200: Type.Array(ProviderVoice) },
        },
      },
      (req) => accounts.voicesOfDraft(viewerOf(req), req.body),
    )

    api.get(
      '/providers/vendors',
      {
        schema: {
          summary: 'List the vendors of each kind, with their default address and model',
          response: { 200: Type.Array(ProviderVendor) },
        },
      },
      async () => accounts.vendors(),
    )

    api.get(
      '/providers/local',
      {
        schema: {
          summary: 'Search this machine for Ollama, LM Studio, llama.cpp, vLLM and LocalAI; for administrators',
          response: { 200: Type.Array(LocalServer) },
        },
      },
      () => accounts.local(),
    )
  }

// /api/campaigns: the campaigns themselves and what starts and stops them
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { targetOf, versioned } from '../../http/versions.ts'
import { Preview, PreviewOptions, Progress } from './contact-schema.ts'
import { Campaign, CampaignPatch, CampaignQuery, NewCampaign, SavedCampaign } from './schema.ts'
import type { CampaignStore } from './store.ts'

export type CampaignActions = {
  start(userId: string, id: string): Promise<Campaign>
  pause(userId: string, id: string): Promise<Campaign>
  resume(userId: string, id: string): Promise<Campaign>
  cancel(userId: string, id: string): Promise<Campaign>
  preview(userId: string, id: string, options: PreviewOptions): Promise<Preview>
  progress(userId: string, id: string): Promise<Progress>
}

export const campaignRoutes =
  ({ campaigns, actions }: { campaigns: CampaignStore; actions: CampaignActions }): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: Campaign } }

    addList(api, '/campaigns', {
      summary: 'List campaigns',
      record: Campaign,
      query: CampaignQuery,
      page: (req, page) => campaigns.page(req.userId, req.query, page),
      at: campaigns.at,
      toRecord: campaigns.toRecord,
    })

    api.get('/campaigns/:id', { ...versioned, schema: { summary: 'Get a campaign', ...one } }, (req) =>
      campaigns.get(req.userId, req.params.id),
    )

    api.post(
      '/campaigns',
      { ...versioned, schema: { summary: 'Create a campaign', body: NewCampaign, response: { 201: SavedCampaign } } },
      async (req, reply) => reply.code(201).send(await campaigns.create(req.userId, req.body)),
    )

    api.patch(
      '/campaigns/:id',
      {
        ...versioned,
        schema: { summary: 'Update a campaign', body: CampaignPatch, params: ById, response: { 200: SavedCampaign } },
      },
      (req) => campaigns.update(req.userId, targetOf(req), req.body),
    )

    api.delete(
      '/campaigns/:id',
      { ...versioned, schema: { summary: 'Delete a campaign that does not run, with its contacts', ...one } },
      (req) => campaigns.remove(req.userId, targetOf(req)),
    )

    const acts = {
      start: 'Start a campaign, or schedule it',
      pause: 'Pause a campaign: calls in progress go on',
      resume: 'Resume a paused campaign',
      cancel: 'Cancel a campaign: calls in progress go on, nothing else is dialled',
    } as const
    for (const [name, summary] of Object.entries(acts))
      api.post(`/campaigns/:id/${name}`, { schema: { summary, ...one } }, (req) =>
        actions[name as keyof typeof acts](req.userId, req.params.id),
      )

    api.post(
      '/campaigns/:id/preview',
      {
        schema: {
          summary: 'Dry run: who would be called when, and who would not',
          body: PreviewOptions,
          params: ById,
          response: { 200: Preview },
        },
      },
      (req) => actions.preview(req.userId, req.params.id, req.body),
    )

    api.get(
      '/campaigns/:id/progress',
      { schema: { summary: 'Outcomes so far', params: ById, response: { 200: Progress } } },
      (req) => actions.progress(req.userId, req.params.id),
    )
  }

// /api/calling-rules
import { Type } from 'typebox'
import type { Target } from '../../base/versions.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { targetOf, versioned } from '../../http/versions.ts'
import { CallingRules, CallingRulesPatch, NewCallingRules, RuleAnswer, RuleQuestion } from './schema.ts'

export type CallingRulesParts = {
  rules: {
    /** Built-in packs first. */
    list(userId: string): Promise<CallingRules[]>
    get(userId: string, id: string): Promise<CallingRules>
    create(userId: string, input: NewCallingRules): Promise<CallingRules>
    update(userId: string, target: Target, patch: CallingRulesPatch): Promise<CallingRules>
    remove(userId: string, target: Target): Promise<CallingRules>
    /** Whether and when this number may be called. */
    ask(userId: string, id: string, question: RuleQuestion): Promise<RuleAnswer>
  }
}

export const callingRuleRoutes =
  ({ rules }: CallingRulesParts): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: CallingRules } }
    api.get(
      '/calling-rules',
      {
        schema: { summary: 'List rule packs, those of the product first', response: { 200: Type.Array(CallingRules) } },
      },
      (req) => rules.list(req.userId),
    )
    api.get('/calling-rules/:id', { ...versioned, schema: { summary: 'Get a rule pack', ...one } }, (req) =>
      rules.get(req.userId, req.params.id),
    )
    api.post(
      '/calling-rules',
      {
        ...versioned,
        schema: { summary: 'Copy or create a rule pack', body: NewCallingRules, response: { 201: CallingRules } },
      },
      async (req, reply) => reply.code(201).send(await rules.create(req.userId, req.body)),
    )
    api.patch(
      '/calling-rules/:id',
      { ...versioned, schema: { summary: 'Update a rule pack of yours', body: CallingRulesPatch, ...one } },
      (req) => rules.update(req.userId, targetOf(req), req.body),
    )
    api.delete(
      '/calling-rules/:id',
      { ...versioned, schema: { summary: 'Delete a rule pack of yours', ...one } },
      (req) => rules.remove(req.userId, targetOf(req)),
    )
    api.post(
      '/calling-rules/:id/ask',
      {
        schema: {
          summary: 'May this number be called, and when',
          params: ById,
          body: RuleQuestion,
          response: { 200: RuleAnswer },
        },
      },
      (req) => rules.ask(req.userId, req.params.id, req.body),
    )
  }

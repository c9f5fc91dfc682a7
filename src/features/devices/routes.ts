// /api/gateway (its calls and recordings are in calls/)
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { appError, found } from '../../base/errors/errors.ts'
import type { NoteChange } from '../../db/audit.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Api, Routes } from '../../http/server.ts'
import { targetOf, versioned } from '../../http/versions.ts'
import type { GatewayAccount } from './account-store.ts'
import type { DeviceActions } from './actions.ts'
import type { DeviceEvents } from './device-events.ts'
import {
  Credentials,
  Device,
  DeviceChoice,
  DevicePatch,
  DeviceQuery,
  DeviceStatus,
  NewCredentials,
  NewDevice,
  Provisioned,
  QrQuery,
  RemoveQuery,
  SipCredentials,
} from './schema.ts'
import type { DeviceStore } from './store.ts'

export type GatewayParts = {
  devices: DeviceStore
  account: GatewayAccount
  events: DeviceEvents
  actions: DeviceActions
  note: NoteChange
}

export const gatewayRoutes =
  (parts: GatewayParts): Routes =>
  (api) => {
    addProvisioning(api, parts)
    addDevices(api, parts)
    addLinking(api, parts)
    addSipCredentials(api, parts)
  }

function addProvisioning(api: Api, { devices, account, actions }: GatewayParts): void {
  api.post(
    '/gateway/provision-device',
    {
      schema: {
        summary: 'Provision the default device with its SIP routes, or return the existing one',
        response: { 200: Provisioned, 201: Provisioned },
      },
    },
    async (req, reply) => {
      const provisioned = await actions.provision(req.userId)
      return reply.code(provisioned.alreadyExisted ? 200 : 201).send(provisioned)
    },
  )

  api.get(
    '/gateway/device-status',
    {
      schema: {
        summary: 'Get the connection status of a device',
        querystring: DeviceQuery,
        response: { 200: DeviceStatus },
      },
    },
    (req) => devices.status(req.userId, req.query.deviceId),
  )

  api.post(
    '/gateway/credentials',
    {
      schema: {
        summary: 'Save the gateway account',
        body: NewCredentials,
        response: { 200: Credentials, 201: Credentials },
      },
    },
    async (req, reply) => {
      const { made, credentials } = await actions.saveAccount(req.userId, req.body)
      return reply.code(made ? 201 : 200).send(credentials)
    },
  )

  api.get(
    '/gateway/credentials',
    { schema: { summary: 'Get the gateway account, without its password', response: { 200: Credentials } } },
    (req) => account.get(req.userId),
  )

  api.delete(
    '/gateway/credentials',
    { schema: { summary: 'Delete the gateway account', response: { 200: Credentials } } },
    (req) => account.remove(req.userId),
  )
}

function addDevices(api: Api, { devices, actions, note }: GatewayParts): void {
  addList(api, '/gateway/devices', {
    summary: 'List devices',
    record: Device,
    page: (req, page) => devices.page(req.userId, page),
    at: (row) => row.createdAt,
    toRecord: devices.toDevice,
  })

  const one = { params: ById, response: { 200: Device } }

  api.get('/gateway/devices/:id', { ...versioned, schema: { summary: 'Get a device', ...one } }, (req) =>
    actions.get(req.userId, req.params.id),
  )

  api.post(
    '/gateway/devices',
    { ...versioned, schema: { summary: 'Create a device', body: NewDevice, response: { 201: Device } } },
    async (req, reply) => reply.code(201).send(await actions.create(req.userId, req.body)),
  )

  api.patch(
    '/gateway/devices/:id',
    { ...versioned, schema: { summary: 'Update a device', body: DevicePatch, ...one } },
    (req) => actions.update(req.userId, targetOf(req), req.body),
  )

  api.delete(
    '/gateway/devices/:id',
    { ...versioned, schema: { summary: 'Delete a device', querystring: RemoveQuery, ...one } },
    (req) => actions.remove(req.userId, targetOf(req), req.query.force ?? false),
  )

  api.post(
    '/gateway/devices/:id/unlink',
    { schema: { summary: 'Unlink the phone or account linked to a device', ...one } },
    async (req) => {
      const device = await actions.unlink(req.userId, req.params.id)
      await note({ kind: 'device', action: 'unlinked', userId: req.userId, id: device.id })
      return device
    },
  )
}

function addLinking(api: Api, { devices, events, actions }: GatewayParts): void {
  api.get(
    '/gateway/devices/:id/qr',
    {
      schema: {
        summary: 'Get the QR code that links a device',
        params: ById,
        querystring: QrQuery,
        response: { 200: qrAnswer },
      },
    },
    async (req, reply) => {
      const { type, body } = await actions.qr(req.userId, req.params.id, req.query)
      return reply.type(type).send(body)
    },
  )

  api.get(
    '/gateway/devices/:id/events',
    { schema: { summary: "Stream a device's status changes", params: ById, response: { 200: eventsAnswer } } },
    async (req, reply) => {
      const row = found('Device', await devices.row(req.userId, req.params.id))
      return reply.type('text/event-stream; charset=utf-8').send(events.open(row))
    },
  )
}

function addSipCredentials(api: Api, { devices }: GatewayParts): void {
  api.get(
    '/gateway/sip/credentials',
    {
      schema: {
        summary: 'Get the SIP account a phone registers with',
        querystring: DeviceQuery,
        response: { 200: SipCredentials },
      },
    },
    (req) => devices.sipCredentials(req.userId, req.query.deviceId),
  )

  api.post(
    '/gateway/sip/credentials/rotate',
    {
      schema: {
        summary: "Rotate a device's SIP password",
        querystring: DeviceQuery,
        body: DeviceChoice,
        response: { 200: SipCredentials },
      },
    },
    (req) => {
      const { query, body } = req
      if (query.deviceId && body.deviceId && query.deviceId !== body.deviceId) throw appError('device_ambiguous')
      return devices.rotateSipPassword(req.userId, query.deviceId ?? body.deviceId ?? undefined)
    },
  )
}

const text = (description: string) => ({ schema: { type: 'string', description } })
const qrAnswer = Type.Unsafe<Buffer | string>({
  description: 'An image; with `format=text`, the encoded text',
  content: {
    'image/png': { schema: { type: 'string', format: 'binary' } },
    'image/svg+xml': text('SVG'),
    'text/plain': text('What the code says'),
  },
})
const eventsAnswer = Type.Unsafe<Readable>({
  description:
    'Server-sent events: `status` with the current state and then with each change; `removed` when the device is deleted',
  content: { 'text/event-stream': text('deviceUuid, deviceId, status, connected, phone, lastError, at') },
})

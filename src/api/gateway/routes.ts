// /api/gateway (its calls and recordings are in calls/)
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import type { GatewayAccount } from './account.ts'
import type { DeviceStore } from './devices.ts'
import {
  Credentials,
  Device,
  DevicePatch,
  DeviceQuery,
  DeviceStatus,
  NewCredentials,
  NewDevice,
  Provisioned,
  SipCredentials,
} from './schema.ts'

export const gatewayRoutes =
  (devices: DeviceStore, account: GatewayAccount): Routes =>
  (api) => {
    api.post(
      '/gateway/provision-device',
      {
        schema: {
          summary: 'Makes the device with its SIP routes, or returns the one there is',
          response: { 200: Provisioned, 201: Provisioned },
        },
      },
      async (req, reply) => {
        const provisioned = await devices.provision(req.userId)
        return reply.code(provisioned.alreadyExisted ? 200 : 201).send(provisioned)
      },
    )

    api.get(
      '/gateway/device-status',
      {
        schema: {
          summary: 'Whether the device is connected',
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
          summary: "Saves the user's gateway account",
          body: NewCredentials,
          response: { 200: Credentials, 201: Credentials },
        },
      },
      async (req, reply) => {
        const { made, credentials } = await account.save(req.userId, req.body)
        return reply.code(made ? 201 : 200).send(credentials)
      },
    )

    api.get(
      '/gateway/credentials',
      { schema: { summary: 'The saved account, without its password', response: { 200: Credentials } } },
      (req) => account.get(req.userId),
    )

    api.delete(
      '/gateway/credentials',
      { schema: { summary: 'Forgets the saved account', response: { 200: Credentials } } },
      (req) => account.remove(req.userId),
    )

    addList(api, '/gateway/devices', {
      summary: 'Lists the devices',
      record: Device,
      page: (req, page) => devices.page(req.userId, page),
      at: (row) => row.createdAt,
      toRecord: devices.toDevice,
    })

    const one = { params: ById, response: { 200: Device } }

    api.get('/gateway/devices/:id', { schema: { summary: 'One device', ...one } }, (req) =>
      devices.get(req.userId, req.params.id),
    )

    api.post(
      '/gateway/devices',
      { schema: { summary: 'Makes a device', body: NewDevice, response: { 201: Device } } },
      async (req, reply) => reply.code(201).send(await devices.create(req.userId, req.body)),
    )

    api.patch('/gateway/devices/:id', { schema: { summary: 'Changes a device', body: DevicePatch, ...one } }, (req) =>
      devices.update(req.userId, req.params.id, req.body),
    )

    api.delete('/gateway/devices/:id', { schema: { summary: 'Removes a device', ...one } }, (req) =>
      devices.remove(req.userId, req.params.id),
    )

    api.get(
      '/gateway/sip/credentials',
      {
        schema: {
          summary: 'What a phone needs to register',
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
          summary: 'Gives the device a new SIP password',
          querystring: DeviceQuery,
          response: { 200: SipCredentials },
        },
      },
      (req) => devices.rotateSipPassword(req.userId, req.query.deviceId),
    )
  }

// The navigation menu.
import {
  IconAdjustments,
  IconBook2,
  IconDeviceMobile,
  IconHash,
  IconHome,
  IconKey,
  IconMessages,
  IconMicrophone,
  IconPhoneCall,
  IconRobot,
  IconRouteAltLeft,
  IconTable,
  IconTool,
  IconWaveSine,
  IconWebhook,
} from '@tabler/icons-react'

export const navigation = [
  { group: null, places: [{ to: '/', name: 'home', Icon: IconHome }] },
  {
    group: 'build',
    places: [
      { to: '/agents', name: 'agents', Icon: IconRobot },
      { to: '/tools', name: 'tools', Icon: IconTool },
      { to: '/knowledge', name: 'knowledge', Icon: IconBook2 },
      { to: '/spreadsheets', name: 'spreadsheets', Icon: IconTable },
      { to: '/voices', name: 'voices', Icon: IconWaveSine },
    ],
  },
  {
    group: 'watch',
    places: [
      { to: '/live', name: 'live', Icon: IconMicrophone },
      { to: '/calls', name: 'calls', Icon: IconPhoneCall },
      { to: '/conversations', name: 'conversations', Icon: IconMessages },
    ],
  },
  {
    group: 'phone',
    places: [
      { to: '/numbers', name: 'numbers', Icon: IconHash },
      { to: '/trunks', name: 'trunks', Icon: IconRouteAltLeft },
      { to: '/devices', name: 'devices', Icon: IconDeviceMobile },
    ],
  },
  {
    group: 'system',
    places: [
      { to: '/keys', name: 'keys', Icon: IconKey },
      { to: '/webhooks', name: 'webhooks', Icon: IconWebhook },
      { to: '/settings', name: 'settings', Icon: IconAdjustments },
    ],
  },
] as const

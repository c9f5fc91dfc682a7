// The navigation menu.
import {
  IconAdjustments,
  IconAppWindow,
  IconBook2,
  IconBuilding,
  IconChecklist,
  IconDeviceMobile,
  IconHash,
  IconHome,
  IconKey,
  IconMessages,
  IconMicrophone,
  IconPhoneCall,
  IconPhoneIncoming,
  IconPhoneOff,
  IconPlugConnected,
  IconRobot,
  IconRouteAltLeft,
  IconSpeakerphone,
  IconTable,
  IconTool,
  IconUsers,
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
      { to: '/rehearsals', name: 'rehearsals', Icon: IconChecklist },
    ],
  },
  {
    group: 'watch',
    places: [
      { to: '/live', name: 'live', Icon: IconMicrophone },
      { to: '/calls', name: 'calls', Icon: IconPhoneCall },
      { to: '/callbacks', name: 'callbacks', Icon: IconPhoneIncoming },
      { to: '/conversations', name: 'conversations', Icon: IconMessages },
      { to: '/campaigns', name: 'campaigns', Icon: IconSpeakerphone },
      { to: '/suppressions', name: 'suppressions', Icon: IconPhoneOff },
    ],
  },
  {
    group: 'phone',
    places: [
      { to: '/numbers', name: 'numbers', Icon: IconHash },
      { to: '/trunks', name: 'trunks', Icon: IconRouteAltLeft },
      { to: '/devices', name: 'devices', Icon: IconDeviceMobile },
      { to: '/widgets', name: 'widgets', Icon: IconAppWindow },
    ],
  },
  {
    group: 'system',
    places: [
      { to: '/providers', name: 'providers', Icon: IconPlugConnected },
      { to: '/keys', name: 'keys', Icon: IconKey },
      { to: '/webhooks', name: 'webhooks', Icon: IconWebhook },
      { to: '/organization', name: 'organization', Icon: IconBuilding },
      { to: '/users', name: 'users', Icon: IconUsers, isForAdmins: true },
      { to: '/settings', name: 'settings', Icon: IconAdjustments },
    ],
  },
] as const

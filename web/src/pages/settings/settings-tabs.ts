// The tabs of the settings page, as named in its URL.
export const settingsTabs = ['status', 'addresses', 'voice', 'telephony', 'security', 'about'] as const
export type SettingsTab = (typeof settingsTabs)[number]

// The tabs of the settings page, which stand in its address.
export const settingsTabs = ['status', 'addresses', 'voice', 'telephony', 'security', 'about'] as const
export type SettingsTab = (typeof settingsTabs)[number]

// What a voice agent knows of the campaign whose call it has, and may do for the person called. Types only.

/** A call of a campaign. Writes are idempotent: they may be repeated after the database was unavailable. */
export type CampaignCall = {
  campaign: { id: string; name: string; disclosure: { isOn: boolean; text?: string | null | undefined } }
  contact: {
    id: string
    /** E.164. */
    phoneNumber: string
    /** Of the person; empty if none is known. */
    names: readonly string[]
    /** Columns of the imported list. */
    variables: Readonly<Record<string, string>>
    /** A message was left on their voicemail before: no second one. */
    hasVoicemail: boolean
    /** IANA; null where the number does not tell. */
    timeZone: string | null
  }
  /** The number is suppressed in every campaign. */
  optOut(said: string): Promise<void>
  wrongPerson(said: string): Promise<void>
  /** The first permitted time at or after this one; null: there is none before the campaign ends. */
  permittedMs(atMs: number): Promise<number | null>
  /** Replaces an earlier one of this conversation. Null: not permitted, or the conversation was removed. */
  scheduleCallback(callback: {
    conversationId: string
    atMs: number
    note: string | null
  }): Promise<{ atMs: number } | null>
  /** A message was left on their voicemail. */
  voicemailLeft(): Promise<void>
}

/** Null: the call belongs to no campaign. */
export type FindCampaignCall = (userId: string, callId: string) => Promise<CampaignCall | null>

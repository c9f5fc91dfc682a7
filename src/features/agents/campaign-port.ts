// What a voice agent knows about the campaign of its call, and what it may do for the person called. Types only.

/** A campaign call. Writes are idempotent: they may be repeated after the database was unavailable. */
export type CampaignCall = {
  campaign: { id: string; name: string; disclosure: { isOn: boolean; text?: string | null | undefined } }
  contact: {
    id: string
    /** E.164 number. */
    phoneNumber: string
    /** Names of the person; empty if none is known. */
    names: readonly string[]
    /** Columns of the imported list. */
    variables: Readonly<Record<string, string>>
    /** A voicemail was left for this person before: do not leave another. */
    hasVoicemail: boolean
    /** IANA time zone; null if the number does not imply one. */
    timeZone: string | null
  }
  /** Suppresses the number in every campaign. */
  optOut(said: string): Promise<void>
  wrongPerson(said: string): Promise<void>
  /** The first permitted time at or after this one; null if none is left before the campaign ends. */
  permittedMs(atMs: number): Promise<number | null>
  /** Replaces an earlier call-back of this conversation. Null if not permitted or if the conversation was removed. */
  scheduleCallback(callback: {
    conversationId: string
    atMs: number
    note: string | null
  }): Promise<{ atMs: number } | null>
  /** Records that a voicemail was left. */
  voicemailLeft(): Promise<void>
}

/** Null if the call does not belong to a campaign. */
export type FindCampaignCall = (userId: string, callId: string) => Promise<CampaignCall | null>

// Error codes of user management, invitations and saved rehearsals.
export const peopleErrors = {
  user_disabled: ['forbidden', 'This user is disabled: ask an administrator'],
  user_is_disabled: ['conflict', 'This user is disabled'],
  api_key_user_disabled: ['unauthorized', 'The user of this API key is disabled'],
  own_account: ['conflict', 'You cannot demote or disable yourself: ask another administrator'],
  own_second_factor: ['conflict', 'Turn off your own second factor in your security settings'],
  own_password: ['conflict', 'Change your own password in your security settings'],
  no_second_factor: ['conflict', 'This user has no second factor'],
  no_email: ['conflict', 'This user has no e-mail address: give one with the request'],
  link_gone: ['not_found', 'This link is not valid: it was used or revoked, or has expired'],
  invitations_open: ['conflict', 'Too many invitations are open: revoke some first'],
  rehearsals_saved: ['conflict', 'A user may save {limit} rehearsals'],
  rehearsal_call_agentless: ['conflict', 'This call had no agent: it cannot be rehearsed'],
  rehearsal_with_missing: ['invalid', 'with is required'],
} as const

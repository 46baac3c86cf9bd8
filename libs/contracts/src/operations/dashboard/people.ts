import {
  changeUserRequestSchema,
  createInvitationRequestSchema,
  invitationResponseSchema,
  userResponseSchema,
} from '../../http/dashboard';
import { pageOf, pageQuerySchema } from '../../http/pagination';
import { ANYBODY, MANAGERS, page, section } from './common';

const OF_MANAGERS = 'An ADMIN can neither assign the role OWNER nor change an OWNER: 403.';

/** Otherwise a person could return by an invitation to another address. */
const ENDS_INVITATIONS = 'Open invitations by this user to roles that the user may no longer invite to are revoked.';

const api = section('Users and invitations');

export const listUsers = api.get('listUsers', '/v1/dashboard/users', {
  summary: 'List the users of the merchant',
  credential: ANYBODY,
  query: pageQuerySchema,
  answers: { 200: { description: page, body: pageOf(userResponseSchema) } },
});

export const getUser = api.get('getUser', '/v1/dashboard/users/:id', {
  summary: 'Retrieve a user',
  credential: ANYBODY,
  answers: { 200: { description: 'The user.', body: userResponseSchema } },
});

export const changeUser = api.patch('changeUser', '/v1/dashboard/users/:id', {
  summary: 'Change the role of a user',
  description: `Users cannot change their own role: 403. ${OF_MANAGERS} The role of the last active OWNER cannot be changed. ${ENDS_INVITATIONS}`,
  credential: MANAGERS,
  body: changeUserRequestSchema,
  answers: { 200: { description: 'The updated user.', body: userResponseSchema } },
  errors: ['LAST_OWNER'],
});

export const deactivateUser = api.post('deactivateUser', '/v1/dashboard/users/:id/deactivate', {
  summary: 'Deactivate a user',
  description: `Ends the sessions of the user. ${OF_MANAGERS} The last active OWNER cannot be deactivated. ${ENDS_INVITATIONS}`,
  credential: MANAGERS,
  answers: { 200: { description: 'The updated user.', body: userResponseSchema } },
  errors: ['LAST_OWNER'],
});

export const reactivateUser = api.post('reactivateUser', '/v1/dashboard/users/:id/reactivate', {
  summary: 'Reactivate a user',
  description: OF_MANAGERS,
  credential: MANAGERS,
  answers: { 200: { description: 'The updated user.', body: userResponseSchema } },
});

export const createInvitation = api.post('createInvitation', '/v1/dashboard/invitations', {
  summary: 'Invite a user',
  description: `Sends a mail with a token that can be used once within 7 days. ${OF_MANAGERS}`,
  credential: MANAGERS,
  body: createInvitationRequestSchema,
  answers: { 201: { description: 'The invitation. The mail is queued.', body: invitationResponseSchema } },
  errors: ['ALREADY_MEMBER', 'INVITATION_OPEN', 'INVITATION_LIMIT_REACHED'],
});

export const listInvitations = api.get('listInvitations', '/v1/dashboard/invitations', {
  summary: 'List invitations',
  credential: MANAGERS,
  query: pageQuerySchema,
  answers: { 200: { description: page, body: pageOf(invitationResponseSchema) } },
});

export const revokeInvitation = api.post('revokeInvitation', '/v1/dashboard/invitations/:id/revoke', {
  summary: 'Revoke an invitation',
  credential: MANAGERS,
  answers: { 200: { description: 'The revoked invitation.', body: invitationResponseSchema } },
  errors: ['INVITATION_ACCEPTED'],
});

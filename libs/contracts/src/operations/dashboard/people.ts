import {
  changeUserRequestSchema,
  createInvitationRequestSchema,
  invitationResponseSchema,
  userResponseSchema,
} from '../../http/dashboard';
import { pageOf, pageQuerySchema } from '../../http/pagination';
import { operation } from '../operation';
import { ANYBODY, MANAGERS, page, params, service } from './common';

const OF_MANAGERS = 'An ADMIN can neither assign the role OWNER nor change an OWNER: 403.';

const people = 'Users and invitations';

export const listUsers = operation({
  id: 'listUsers',
  service,
  method: 'get',
  path: '/v1/dashboard/users',
  tag: people,
  summary: 'List the users of the merchant',
  credential: ANYBODY,
  query: pageQuerySchema,
  answers: { 200: { description: page, body: pageOf(userResponseSchema) } },
});

export const getUser = operation({
  id: 'getUser',
  service,
  method: 'get',
  path: '/v1/dashboard/users/:id',
  tag: people,
  summary: 'Retrieve a user',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The user.', body: userResponseSchema } },
});

export const changeUser = operation({
  id: 'changeUser',
  service,
  method: 'patch',
  path: '/v1/dashboard/users/:id',
  tag: people,
  summary: 'Change the role of a user',
  description: `Users cannot change their own role: 403. ${OF_MANAGERS} The role of the last active OWNER cannot be changed.`,
  credential: MANAGERS,
  params,
  body: changeUserRequestSchema,
  answers: { 200: { description: 'The updated user.', body: userResponseSchema } },
  errors: ['LAST_OWNER'],
});

export const deactivateUser = operation({
  id: 'deactivateUser',
  service,
  method: 'post',
  path: '/v1/dashboard/users/:id/deactivate',
  tag: people,
  summary: 'Deactivate a user',
  description: `Ends the sessions of the user. ${OF_MANAGERS} The last active OWNER cannot be deactivated.`,
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The updated user.', body: userResponseSchema } },
  errors: ['LAST_OWNER'],
});

export const reactivateUser = operation({
  id: 'reactivateUser',
  service,
  method: 'post',
  path: '/v1/dashboard/users/:id/reactivate',
  tag: people,
  summary: 'Reactivate a user',
  description: OF_MANAGERS,
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The updated user.', body: userResponseSchema } },
});

export const createInvitation = operation({
  id: 'createInvitation',
  service,
  method: 'post',
  path: '/v1/dashboard/invitations',
  tag: people,
  summary: 'Invite a user',
  description: `Sends a mail with a token that can be used once within 7 days. ${OF_MANAGERS}`,
  credential: MANAGERS,
  body: createInvitationRequestSchema,
  answers: { 201: { description: 'The invitation. The mail is queued.', body: invitationResponseSchema } },
  errors: ['ALREADY_MEMBER', 'INVITATION_OPEN', 'INVITATION_LIMIT_REACHED'],
});

export const listInvitations = operation({
  id: 'listInvitations',
  service,
  method: 'get',
  path: '/v1/dashboard/invitations',
  tag: people,
  summary: 'List invitations',
  credential: MANAGERS,
  query: pageQuerySchema,
  answers: { 200: { description: page, body: pageOf(invitationResponseSchema) } },
});

export const revokeInvitation = operation({
  id: 'revokeInvitation',
  service,
  method: 'post',
  path: '/v1/dashboard/invitations/:id/revoke',
  tag: people,
  summary: 'Revoke an invitation',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The revoked invitation.', body: invitationResponseSchema } },
  errors: ['INVITATION_ACCEPTED'],
});

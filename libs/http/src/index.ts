export { createKernel, type KernelOptions } from './kernel';
export { rawBody } from './raw-body';
export { route, type Answer, type RouteInput } from './route';
export { internalRoutes, type InternalRoutes, type RoutesFor } from './internal-routes';
export {
  internalOperationServer,
  operationServer,
  type AnswerOf,
  type CredentialChecks,
  type InputOf,
} from './operation-server';
export { type FindEnvironment } from './environment-permission';
export { answerRefusal, paintErrors } from './respond';
export { addChallenge, ApiError, ValidationError } from './errors';
export { sentencesOf } from './sentences';
export { requestIdOf } from './exchange';
export { apiKeyAuth, callerOf, type Caller } from './api-key-auth';
export { deviceKeyAuth, deviceOf } from './device-key-auth';
export { sandboxTenantOf, serviceAuth, tenantOf, type PeerSecret, type TenantOfRequest } from './service-auth';
export { sessionAuth, sessionOf, type Session, type SessionCheck } from './session-auth';
export { signToken, verifyToken, type TokenSecret } from './signed-token';
export { serviceClient, ServiceCallFailed, type ServiceClient, type ServiceRequest } from './service-client';
export { hashKey } from './hash-key';
export { httpServer, type HttpServer } from './http-server';

import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'

/**
 * Tests ask through the library's own agent. Node's, of an older release of it (undici 7.29.1), opens a connection for every further request once
 * one was given up, as after a DELETE with a body: a request then takes three times as much work.
 */
if (!(getGlobalDispatcher() instanceof Agent)) setGlobalDispatcher(new Agent())

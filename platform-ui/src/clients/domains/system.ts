/** Requests of the libraries at their start, in addition to the other domains. */

import type { Domain } from "../domain";

export const systemDomain: Domain = {
  operations: {
    systemHello: () => ({ isClientErrorOperationSupported: false }),
    getEnvironment: () => ({}),
    getBase: () => ({ platformVersion: "Rostrum" }),
  },
};

/** Dialogs and the channel selector of the libraries are not used: both belong to the platform. */
export const uiDomain: Domain = { operations: { getResources: () => ({ resources: {} }) } };

export const extensionDomain: Domain = { operations: { clientHello: () => ({ widget: { inject: false } }) } };

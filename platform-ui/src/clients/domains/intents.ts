/** Intents: the libraries handle them with methods on the gateway; the FDC3 agent of the user selects the handler. */

import type { AppIntent } from "../../agent";
import type { OpenWindow } from "../app-windows";
import { type ClientApp, objectOf, present, textOf } from "../client-app";
import { boundsOf, type Domain, type Operation, type Platform, UnsupportedOperation } from "../domain";
import type { Json, RemoteMethod } from "../peer";

const METHOD = "Tick42.FDC3.Intents.";
const RAISE = "Rostrum.FDC3.RaiseIntent";
/** Time limit of an agent for the user and for the result. */
const RAISE_MS = 150_000;

interface Handler extends Json {
  readonly applicationName: string;
  readonly type: "app" | "instance";
  readonly instanceId?: string;
  readonly contextTypes?: readonly string[];
  readonly resultType?: string;
}

interface Found {
  readonly intent: string;
  readonly handler: Handler;
  /** The instance in the agent. */
  readonly instance?: string;
}

export class IntentsDomain implements Domain {
  readonly operations: Readonly<Record<string, Operation>> = {
    getIntents: () => ({ intents: this.grouped(this.all()) }),
    findIntent: ({ filter }) => ({ intents: this.grouped(this.matching(objectOf(filter))) }),
    raise: ({ intentRequest }, caller) => this.raise(objectOf(intentRequest), caller),
    // The name that older libraries use.
    raiseIntent: (request, caller) => this.raise(request, caller),
    filterHandlers: ({ filterHandlersRequest }, caller) => this.filter(objectOf(filterHandlersRequest), caller),
    getIntentsByHandler: (handler) => ({ intents: this.intentsOf(handler) }),
  };

  constructor(private readonly platform: Platform) {}

  private all(): Found[] {
    const apps = this.platform.host.apps();
    const defined = apps.flatMap((app) => app.intents.map(({ name }) => ({ intent: name, handler: ofApp(app, name) })));
    return [...defined, ...this.instances(apps)];
  }

  private instances(apps: readonly ClientApp[]): Found[] {
    return this.platform
      .peer()
      .known(METHOD)
      .flatMap((method): Found[] => {
        const { application, instance, windowId } = this.platform.peer().identityOf(method.server);
        if (application === undefined || instance === undefined) return [];
        const intent = method.name.slice(METHOD.length);
        const app = apps.find(({ name }) => name === application);
        const handler = { ...ofInstance(method, intent, application, app), instanceId: windowId ?? instance };
        return [{ intent, handler, instance }];
      });
  }

  private matching({ name, contextType, resultType }: Json): Found[] {
    return this.all().filter(
      ({ intent, handler }) =>
        (name === undefined || intent === name) &&
        (contextType === undefined || handler.contextTypes?.includes(String(contextType))) &&
        (resultType === undefined || handler.resultType === resultType),
    );
  }

  private grouped(found: readonly Found[]): Json[] {
    const names = [...new Set(found.map(({ intent }) => intent))];
    return names.map((name) => ({
      name,
      handlers: found.filter(({ intent }) => intent === name).map(({ handler }) => handler),
    }));
  }

  private async raise(request: Json, caller: OpenWindow): Promise<Json> {
    const intent = textOf(request.intent);
    const [method] = this.platform.peer().known(RAISE);
    if (method === undefined) throw new Error("intents.raise: the FDC3 agent cannot be reached at the moment.");
    const target = await this.target(intent, request, caller);
    const args = { intent, source: caller.relay?.peer, context: objectOf(request.context), ...target };
    const { appId, instanceId, result } = await this.platform.peer().call(method, args, RAISE_MS);
    return { request, handler: this.handlerOf(intent, textOf(appId), textOf(instanceId)), result: result ?? {} };
  }

  /** The app that handles the intent; empty if the agent must find one. */
  private async target(intent: string, { target, handlers, options }: Json, source: OpenWindow): Promise<Json> {
    const found = this.all().filter((each) => each.intent === intent);
    if (target === "startNew") {
      const app = found.find(({ handler }) => handler.type === "app")?.handler.applicationName;
      if (app === undefined) throw new Error(`intents.raise: no app is defined that handles ${intent}.`);
      const opened = await this.platform.open(app, { source, bounds: boundsOf(objectOf(options)) });
      return { appId: app, instanceId: opened.app.instanceId };
    }
    if (target === "reuse") {
      const running = found.find(({ instance }) => instance !== undefined);
      return running === undefined ? {} : { appId: running.handler.applicationName, instanceId: running.instance };
    }
    const named = Array.isArray(handlers) && handlers.length === 1 ? objectOf(handlers[0]) : {};
    const { app = named.applicationName, instance = named.instanceId } = objectOf(target);
    if (instance !== undefined) {
      const running = found.find((each) => each.handler.instanceId === instance || each.instance === instance);
      if (running === undefined) throw new Error(`intents.raise: ${String(instance)} does not handle ${intent}.`);
      return { appId: running.handler.applicationName, instanceId: running.instance };
    }
    return app === undefined ? {} : { appId: app };
  }

  private handlerOf(intent: string, appId: string, instanceId: string): Handler {
    const found = this.all().find((each) => each.intent === intent && each.instance === instanceId);
    const open = this.platform.windows.withInstance(instanceId);
    return found?.handler ?? { applicationName: appId, type: "instance", instanceId: open?.windowId ?? instanceId };
  }

  private async filter(request: Json, caller: OpenWindow): Promise<Json> {
    const { intent, contextTypes, resultType, applicationNames, excludeList, openResolver } = request;
    const excluded = Array.isArray(excludeList) ? excludeList.map(objectOf) : [];
    const found = this.matching(present({ name: intent, resultType })).filter(
      ({ handler }) =>
        (!Array.isArray(contextTypes) || contextTypes.some((type) => handler.contextTypes?.includes(type))) &&
        (!Array.isArray(applicationNames) || applicationNames.includes(handler.applicationName)) &&
        !excluded.some(
          (one) => one.applicationName === handler.applicationName || one.instanceId === handler.instanceId,
        ),
    );
    if (openResolver !== true || found.length < 2) return { handlers: found.map(({ handler }) => handler) };
    const choice = await this.platform.host.choose({
      source: caller.app.instanceId,
      appIntents: choices(found),
      context: null,
    });
    if (choice === undefined)
      throw new UnsupportedOperation("intents", "filterHandlers", "The user cancelled the selection.");
    const chosen = found.find(
      (each) =>
        each.intent === choice.intent &&
        each.handler.applicationName === choice.appId &&
        each.instance === choice.instanceId,
    );
    return { handlers: chosen === undefined ? [] : [chosen.handler] };
  }

  private intentsOf({ applicationName, instanceId }: Json): Json[] {
    return this.all()
      .filter(
        ({ handler }) =>
          handler.applicationName === applicationName &&
          (instanceId === undefined || handler.instanceId === instanceId),
      )
      .map(({ intent, handler: { contextTypes, displayName, resultType } }) =>
        present({ intent, contextTypes, displayName: displayName || undefined, resultType }),
      );
  }
}

function ofApp(app: ClientApp, intent: string): Handler {
  const defined = app.intents.find(({ name }) => name === intent);
  return present({
    applicationName: app.name,
    applicationTitle: app.title,
    applicationDescription: app.caption,
    applicationIcon: app.icon,
    type: "app",
    displayName: defined?.displayName,
    contextTypes: defined?.contexts,
    resultType: defined?.resultType,
  }) as Handler;
}

function ofInstance(method: RemoteMethod, intent: string, application: string, app: ClientApp | undefined): Handler {
  const { contextTypes, displayName, resultType, icon, description } = objectOf(objectOf(method.flags.metadata).intent);
  const defined = app === undefined ? { applicationName: application } : ofApp(app, intent);
  const own = { contextTypes, displayName, resultType, applicationIcon: icon, applicationDescription: description };
  return { ...defined, ...present(own), type: "instance" } as Handler;
}

function choices(found: readonly Found[]): AppIntent[] {
  const names = [...new Set(found.map(({ intent }) => intent))];
  return names.map((name) => ({
    intent: { name, displayName: name },
    apps: found
      .filter(({ intent }) => intent === name)
      .map(({ handler, instance }) => ({
        appId: handler.applicationName,
        ...(instance === undefined ? {} : { instanceId: instance }),
        title: textOf(handler.applicationTitle) || handler.applicationName,
      })),
  }));
}

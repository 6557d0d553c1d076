// SPDX-License-Identifier: MIT
import type { ClockState as WireClockState } from "../generated/sweepd/v1/clock_pb.js";
import { Role as WireRole } from "../generated/sweepd/v1/role_pb.js";
import type { Score as WireScore } from "../generated/sweepd/v1/scoring_pb.js";
import {
  MatchEndReason,
  MatchState as WireMatchState,
  type Match,
  type MatchConfig as WireConfig,
  type Participant as WireParticipant,
} from "../generated/sweepd/v1/types_pb.js";
import {
  EndReason,
  MatchState,
  Role,
  type ClockState,
  type MatchConfig,
  type MatchInfo,
  type Participant,
  type Score,
} from "../types.js";
import { decodeClaimCounts } from "./claim_codec.js";
import { decodeBox } from "./shape_codec.js";
import { toUnits } from "./subunits.js";
import { nameIn } from "./wire_names.js";

export function encodeRole(role: Role): WireRole {
  return WireRole[role];
}

export function decodeClock(clock: WireClockState | undefined): ClockState {
  return { paused: clock?.paused ?? false, tickRateHz: clock?.tickRateHz ?? 0 };
}

export function decodeScore(score: WireScore): Score {
  return {
    participant: score.participant,
    name: score.name,
    score: Number(score.score),
    hasLeft: score.hasLeft,
  };
}

export function decodeEndReason(reason: MatchEndReason | undefined): EndReason {
  return nameIn(EndReason, MatchEndReason[reason ?? 0]) ?? EndReason.None;
}

export function decodeParticipant(participant: WireParticipant): Participant {
  return {
    number: participant.number,
    name: participant.name,
    role: nameIn(Role, WireRole[participant.role]) ?? Role.Player,
    firstId: participant.firstId,
    lastId: participant.lastId,
    objects: participant.objects,
    rejections: Number(participant.rejections),
    lateFrames: Number(participant.lateFrames),
    delayMs: participant.delayMs,
    claims: decodeClaimCounts(participant.claims),
    actsAsStage: participant.actsAsStage,
    isAway: participant.isAway,
  };
}

function decodeConfig(config: WireConfig | undefined): MatchConfig {
  return {
    name: config?.name ?? "",
    layers: config?.layers ?? [],
    clearableLayers: config?.clearableLayers ?? [],
    templates: config?.templates.map((template) => template.name) ?? [],
    maskCount: config?.masks.length ?? 0,
    playfield: config?.playfield && decodeBox(config.playfield),
    maxLeadTicks: config?.maxLeadTicks ?? 0,
    heartbeatTicks: config?.heartbeatTicks ?? 0,
    reconnectTicks: config?.reconnectTicks ?? 0,
    seed: config?.seed ?? 0n,
  };
}

export function decodeMatch(match: Match): MatchInfo {
  return {
    matchId: match.matchId,
    config: decodeConfig(match.config),
    state: nameIn(MatchState, WireMatchState[match.state]) ?? MatchState.Running,
    tick: Number(match.tick),
    digest: match.digest,
    events: Number(match.events),
    objects: match.objects,
    openEncounters: match.openEncounters,
    participants: match.participants.map(decodeParticipant),
    scores: match.scores.map(decodeScore),
    playfieldOrigin: { x: toUnits(match.playfieldX), y: toUnits(match.playfieldY) },
    clock: decodeClock(match.clock),
    durableTick: Number(match.durableTick),
    endReason: decodeEndReason(match.endReason),
    rulesName: match.rulesName,
  };
}

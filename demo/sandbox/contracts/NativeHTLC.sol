// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {HashTimeLock} from "./HashTimeLock.sol";

/// Holds the chain's own coin. Nobody can take coins by a signature, so there is none: a transaction is the only way.
contract NativeHTLC is HashTimeLock {
    error NativeHTLC__IncorrectFundsReceived();

    /// The address by which the coin is named where a token is meant.
    address public constant token = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    /// Locks the coins that come with the call.
    function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) external payable {
        _initiate(msg.sender, redeemer, timelock, amount, secretHash);
    }

    /// Locks the coins that come with the call in the name of another, who gets them back on a refund.
    function initiateOnBehalf(
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash
    ) external payable {
        _initiate(initiator, redeemer, timelock, amount, secretHash);
    }

    function _initiate(
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash
    ) private {
        require(msg.value == amount, NativeHTLC__IncorrectFundsReceived());
        _lock(initiator, redeemer, timelock, amount, secretHash);
    }

    function _pay(address to, uint256 amount) internal override {
        Address.sendValue(payable(to), amount);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {HashTimeLock} from "./HashTimeLock.sol";

/// Holds the chain's native coin. No signature can move it, so a deposit is always a transaction of the payer.
contract NativeHTLC is HashTimeLock {
    error NativeHTLC__IncorrectFundsReceived();

    /// The address that stands for the native coin where a token's is expected.
    address public constant token = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    /// Locks the coins sent with the call.
    function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) external payable {
        _initiate(msg.sender, redeemer, timelock, amount, secretHash);
    }

    /// Locks the coins sent with the call on behalf of the initiator, who gets them on a refund.
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
